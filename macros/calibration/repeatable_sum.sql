{#-
    The sum of numbers between -63 and 63 that does not depend on the order in which threads add: whole multiples of
    2^-57, summed as integers. A report that is asked for again must be the same to the last digit, and a map must not be
    validated on one read and not on the next. Null without rows.

    value    SQL expression; each is rounded by at most 2^-58
-#}
{% macro repeatable_sum(value) -%}
    (sum((({{ value }}) * 144115188075855872)::bigint)::double / 144115188075855872)
{%- endmacro %}
