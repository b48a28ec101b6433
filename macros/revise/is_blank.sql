{#- Whether a text holds nothing but white space, of Unicode too: `trim` and `\s` know only some of it. -#}
{% macro is_blank(text) -%}
    not regexp_matches({{ text }}, '[^\s\v\x{1c}-\x{1f}\x{85}\pZ]')
{%- endmacro %}
