{#-
    The sum of numbers between -1000 and 1000 that does not depend on the order in which threads add: whole multiples of
    2^-52, summed as integers. A report that is asked for again must be the same to the last digit, and a map must not be
    validated on one read and not on the next. Null without rows.

    value    SQL expression; each is rounded by at most 2^-53
-#}
{% macro repeatable_sum(value) -%}
    (sum((({{ value }}) * 4503599627370496)::bigint)::double / 4503599627370496)
{%- endmacro %}
