{#-
    Whether a text is JSON as RFC 8259 has it. `json_valid` lets a comma before a closing bracket pass: a text that looks
    like one is looked at again without its strings. It lets NaN and Infinity pass too, which are numbers to it: where a
    number is asked for, it must be finite. By CASE, which stops where AND would not.
-#}
{% macro is_json_document(text) -%}
    {%- set lax = "',\\s*[}\\]]'" -%}
    case
        when not json_valid({{ text }}) then false
        when regexp_matches({{ text }}, {{ lax }})
            then not regexp_matches(regexp_replace({{ text }}, '"(\\.|[^"\\])*"', '""', 'g'), {{ lax }})
        else true
    end
{%- endmacro %}
