{#-
    Whether a text is a comparator such as `>= 3.5`: an operator, one blank, a JSON number that is finite as a double. Null
    for null. By CASE, which stops where AND would not.
-#}
{% macro is_comparator(text) -%}
    {%- set number = '-?(?:0|[1-9][0-9]*)(?:\\.[0-9]+)?(?:[eE][+-]?[0-9]+)?' -%}
    case
        when not regexp_full_match({{ text }}, '(?:<|<=|>|>=|=|!=) {{ number }}') then false
        else isfinite(split_part({{ text }}, ' ', 2)::double)
    end
{%- endmacro %}
