{#- Branches of a line's fault for a string. optional: it may be left out or null. -#}
{% macro text_faults(field, optional=false) -%}
    when {{ field }}_kind not in ('VARCHAR'{{ ", 'NULL'" if optional }}) then '`{{ field }}` must be a string'
    when {{ is_blank('"' ~ field ~ '"') }} then '`{{ field }}` must not be blank'
    when contains("{{ field }}", chr(0)) then '`{{ field }}` must not hold NUL'
{%- endmacro %}
