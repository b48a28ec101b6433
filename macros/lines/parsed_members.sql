{#-
    The lines at hand, each a JSON object of members without a deeper structure, as JSON gives them: its kind, all its
    keys, and of each member the exact JSON type (`<name>_kind`) and the value cast. A blank line is no line.

    members             {name: DuckDB type of the value}
    available_column    SQL expression: one more member, read as `available_at`, where the table declares an available time
-#}
{% macro parsed_members(members, available_column) -%}
    with
    documents as (
        select
            line_number,
            case when {{ is_json_document('line') | indent(12) }} then line end as document
        from {{ pending_relation('raw') }}
        where line is not null and not {{ is_blank('line') | indent(8) }}
    ),
    -- The cast turns 5 into '5' and forgets a doubled key: types and keys are looked at apart.
    looked_at as (
        select
            line_number,
            json_keys(document) as line_keys,
            json_type(document, ['$', '$.{{ members | join("', '$.") }}']) as kinds,
            case when {{ available_column }} is not null then '$."' || {{ available_column }} || '"' end as available_path,
            json_type(document, available_path) as available_kind,
            document ->> available_path as available_at,
            from_json(document, '{ {%- for name, type in members.items() %}"{{ name }}": "{{ type }}"
                {{- ', ' if not loop.last }}{% endfor -%} }') as given
        from documents
    )
    select
        line_number,
        kinds[1] as line_kind,
        line_keys,
        {%- for name in members %}
        kinds[{{ loop.index + 1 }}] as {{ name }}_kind,
        given."{{ name }}" as "{{ name }}",
        {%- endfor %}
        available_kind,
        available_at
    from looked_at
{%- endmacro %}
