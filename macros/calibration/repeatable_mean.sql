{#- The mean of numbers between -1000 and 1000, as repeatable_sum sums them. Null without rows. -#}
{% macro repeatable_mean(value) -%}
    ({{ repeatable_sum(value) }} / count(*))
{%- endmacro %}
