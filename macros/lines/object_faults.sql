{#-
    Branches of a line's fault: it is no JSON object of the known keys, each once.

    members             the known keys, of whose values parsed_members has told the JSON type
    available_column    SQL expression: one more key, where the table declares an available time
-#}
{% macro object_faults(members, available_column) -%}
    {%- set kinds = [] -%}
    {%- for name in members %}{% do kinds.append(name ~ '_kind') %}{% endfor -%}
    when line_kind is null then 'it is not JSON in UTF-8 of at most 16 MiB'
    when line_kind <> 'OBJECT' then 'it is not a JSON object'
    {{ key_faults(
        'line_keys', "list_filter(list_append(" ~ (members | list) ~ ", " ~ available_column ~ "), lambda k: k is not null)",
        kinds + ['available_kind']
    ) }}
{%- endmacro %}
