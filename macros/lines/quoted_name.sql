{#- A name that a caller chose, short enough for a message. -#}
{% macro quoted_name(text) -%}
    left({{ text }}, 60)
{%- endmacro %}
