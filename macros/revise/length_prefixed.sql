{#- A text as bytes: eight bytes that hold its length in bytes, big-endian, then its UTF-8. -#}
{% macro length_prefixed(text) -%}
    unhex(format('{:016x}', strlen({{ text }}))) || encode({{ text }})
{%- endmacro %}
