{#-
    Whether a text is JSON as RFC 8259 has it. `json_valid` lets NaN, Infinity and a comma before a closing bracket pass:
    a text that looks like one of them is looked at again without its strings. By CASE, which stops where AND would not.
-#}
{% macro is_json_document(text) -%}
    {%- set lax = "'(?i),\\s*[}\\]]|[:,\\[]\\s*-?(nan|inf)|^\\s*-?(nan|inf)'" -%}
    case
        when not json_valid({{ text }}) then false
        when regexp_matches({{ text }}, {{ lax }})
            then not regexp_matches(regexp_replace({{ text }}, '"(\\.|[^"\\])*"', '""', 'g'), {{ lax }})
        else true
    end
{%- endmacro %}
