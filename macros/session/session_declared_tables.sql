{#-
    `session.declared_tables`: what the declarations say of each table this session may name: its shape, null for
    sources; its key's columns, none without a key; the outcomes table that labels claims; the predictions table that
    outcomes settle.
    `session.is_citable(name)` says whether citations of a table can resolve, without a join, which would be a tenth of a
    point read's planning: not those of a table any column of which the caller may not read.
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
    '{{ table.name }}', {{ name_or_null(table.shape) }}, {{ readable_key(table) }}::varchar[],
    {{ name_or_null(table.labels) }}, {{ name_or_null(table.predictions) }}
{%- endfor %};
create or replace macro session.is_citable(p_name) as p_name in (
    {%- for table in tables if not table.shape and not table.masks %}'{{ table.name }}', {% endfor %}null
);
{% endmacro -%}

{#- The key's columns; none to a caller who may not read them all. -#}
{%- macro readable_key(table) -%}
{%- for column in table.key if column in table.masks -%}{%- if loop.first -%}[]{%- endif -%}{%- else -%}{{ table.key | list }}{%- endfor -%}
{%- endmacro -%}

{%- macro name_or_null(name) -%}{{ "'" ~ name ~ "'" if name else 'null' }}{%- endmacro -%}
