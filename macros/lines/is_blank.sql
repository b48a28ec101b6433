{#-
    Whether a text holds nothing but white space, of Unicode too: `trim` and `\s` know only some of it. Most texts begin
    with a printed character of ASCII, which a comparison sees without the expression.
-#}
{% macro is_blank(text) -%}
    case
        when {{ text }} >= '!' and {{ text }} < chr(127) then false
        else not regexp_matches({{ text }}, '[^\s\v\x{1c}-\x{1f}\x{85}\pZ]')
    end
{%- endmacro %}
