{#-
    `session.declared_tables`: what the declarations say of each table this session may name; shape null for sources.
    `session.is_source_table(name)` says the same of one name without a join: a tenth of a point read's planning.
-#}
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
create or replace macro session.is_source_table(p_name) as p_name in (
    {%- for table in tables if not table.shape %}'{{ table.name }}', {% endfor %}null
);
{% endmacro -%}
