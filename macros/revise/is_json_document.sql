{#-
    Whether a text is JSON as RFC 8259 has it. `json_valid` lets NaN, Infinity and a comma before a closing bracket pass:
    a text that looks like one of them is looked at again without its strings.
-#}
{% macro is_json_document(text) -%}
    {%- set lax = "'(?i),\\s*[}\\]]|[:,\\[]\\s*-?(nan|inf)|^\\s*-?(nan|inf)'" -%}
    (
        json_valid({{ text }})
        and not (
            regexp_matches({{ text }}, {{ lax }})
            and regexp_matches(regexp_replace({{ text }}, '"(\\.|[^"\\])*"', '""', 'g'), {{ lax }})
        )
    )
{%- endmacro %}
