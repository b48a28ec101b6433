{#- Whether a registration's statement is too long, as a sentence; null where it is not. rule: settle.statement-bound -#}
{% macro statement_fault() -%}
    case
        when strlen("statement") > 4096
            then '`statement` has ' || strlen("statement") || ' bytes of UTF-8; at most 4096 are kept'
    end
{%- endmacro %}
