{#- Whether a JSON value is anything but an object of the keys table, run and seq, each once and of its exact type. -#}
{% macro is_no_citation(value) -%}
    json_type({{ value }}) <> 'OBJECT'
    or len(list_distinct(json_keys({{ value }}))) < len(json_keys({{ value }}))
    or not list_has_all(['table', 'run', 'seq', 'key_digest'], json_keys({{ value }}))
    or json_type({{ value }}, '$.table') is distinct from 'VARCHAR'
    or json_type({{ value }}, '$.run') is distinct from 'VARCHAR'
    or coalesce(json_type({{ value }}, '$.seq') not in ('UBIGINT', 'BIGINT'), true)
    or coalesce(json_type({{ value }}, '$.key_digest') not in ('VARCHAR', 'NULL'), false)
{%- endmacro %}
