{#- An instant as RFC 3339 in UTC with six fractional digits, as every answer writes it. -#}
{% macro instant_text(instant) -%}
    strftime({{ instant }}, '%Y-%m-%dT%H:%M:%S.%fZ')
{%- endmacro %}
