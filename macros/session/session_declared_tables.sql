{#- `session.declared_tables`: what the declarations say of each table this session may name; shape null for sources. -#}
{%- macro session_declared_tables(tables) -%}
create or replace view session.declared_tables as
select * from (
    values
    {%- for table in tables %}
    (
        '{{ table.name }}', {{ "'" ~ table.shape ~ "'" if table.shape else 'null' }},
        {{ 'true' if table.key else 'false' }}, {{ table.max_rows if table.max_rows else 'null' }}
    ),
    {%- endfor %}
    (null, null, null, null)
) as declared (_table, shape, is_keyed, max_rows)
where _table is not null;
create or replace view session.source_tables as
select _table, is_keyed from session.declared_tables where shape is null;
{% endmacro -%}
