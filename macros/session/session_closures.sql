{#- `session.all_closures`: every expiry and retraction; `_table` is the claims table whose claims they close. -#}
{%- macro session_closures(tables, reaches, bounds) -%}
create or replace view session.all_closures as
select
    null::varchar as _table, null::varchar as claim_id, null::timestamptz as valid_from,
    null::timestamptz as closed_at, null::varchar as reason,
    null::timestamp_ns as _ingested_at, null::varchar as _run_id, null::bigint as _row_seq
where false
{%- for table in tables if table.shape == 'memory_facts' %}
{%- set side = table.name ~ '_closures' %}
union all by name
select '{{ table.name }}' as _table, claim_id, valid_from, closed_at, reason, _ingested_at, _run_id, _row_seq
from ({{ landed_rows(side, reaches[side], bounds) }})
{%- endfor %};
{% endmacro -%}
