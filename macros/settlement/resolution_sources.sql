{#- What may settle a prediction, as a SQL list. -#}
{% macro resolution_sources() -%} ['metric', 'adjudicator', 'manual'] {%- endmacro %}
