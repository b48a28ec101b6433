{#-
    `session.declared_tables`: what the declarations say of each table this session may name: its shape, null for
    sources; its key's columns, none without a key; the outcomes table that labels claims; the predictions table that
    outcomes settle.
    `session.is_source_table(name)` says that of one name without a join: a tenth of a point read's planning.
-#}
{%- macro session_declared_tables(tables) -%}
create or replace view session.declared_tables as
select
    null::varchar as _table, null::varchar as shape, null::varchar[] as key, null::varchar as labels,
    null::varchar as predictions
where false
{%- for table in tables %}
union all
select
    '{{ table.name }}', {{ name_or_null(table.shape) }}, {{ table.key | list }}::varchar[],
    {{ name_or_null(table.labels) }}, {{ name_or_null(table.predictions) }}
{%- endfor %};
create or replace macro session.is_source_table(p_name) as p_name in (
    {%- for table in tables if not table.shape %}'{{ table.name }}', {% endfor %}null
);
{% endmacro -%}

{%- macro name_or_null(name) -%}{{ "'" ~ name ~ "'" if name else 'null' }}{%- endmacro -%}
