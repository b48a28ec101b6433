{#- `session.source_rows`: every landed row of the source tables that the caller may see, and how far it is to be trusted. -#}
{%- macro session_source_rows(tables, reaches, bounds) -%}
create or replace view session.source_rows as
select null::varchar as _table, null::varchar as _run_id, null::bigint as _row_seq, null::varchar as _taint
where false
{%- for table in tables if not table.shape %}
union all by name
select '{{ table.name }}' as _table, _run_id, _row_seq, _taint
from ({{ landed_rows(table.name, reaches[table.name], bounds) }})
{%- if table.filters %} where not {{ is_hidden(table) }}{% endif %}
{%- endfor %};
{% endmacro -%}
