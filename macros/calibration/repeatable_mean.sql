{#- The mean of numbers between -63 and 63, as repeatable_sum sums them. Null without rows. -#}
{% macro repeatable_mean(value) -%}
    ({{ repeatable_sum(value) }} / count(*))
{%- endmacro %}
