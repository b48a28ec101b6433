{#-
    `session.all_memory_facts`: every version of every claim of the claims tables, `_table` naming where it stands.
    Masks are not applied here, for the window needs what they hide.
    available_at is the declared available_time column, null in a table without one (has_availability tells them apart).
-#}
{%- macro session_facts(tables, reaches, bounds) -%}
create or replace view session.all_memory_facts as
select
    null::varchar as _table, null::varchar as claim_id, null::varchar as subject, null::varchar as predicate,
    null::varchar as "object", null::varchar as "scope", null::varchar as tier, null::double as confidence,
    null::timestamptz as valid_from, null::timestamptz as valid_to,
    null::struct("table" varchar, run varchar, seq bigint, key_digest varchar)[] as evidence,
    null::varchar as superseded_by, null::varchar as grant_id, null::varchar as agent,
    null::timestamptz as available_at, null::boolean as has_availability,
    null::timestamp_ns as _ingested_at, null::varchar as _run_id, null::bigint as _row_seq, null::varchar as _site_id,
    null::bigint as _batch_seq, null::varchar as _authored_by, null::varchar as _taint, null::boolean as is_hidden
where false
{%- for table in tables if table.shape == 'memory_facts' %}
union all by name
select
    '{{ table.name }}' as _table, claim_id, subject, predicate, "object", "scope", tier, confidence,
    valid_from, valid_to, evidence, superseded_by, grant_id, agent,
    {% if table.available_column %}"{{ table.available_column }}"{% else %}null::timestamptz{% endif %} as available_at,
    {{ 'true' if table.available_column else 'false' }} as has_availability,
    _ingested_at, _run_id, _row_seq, _site_id, _batch_seq, _authored_by, _taint,
    {{ is_hidden(table) }} as is_hidden
from ({{ landed_rows(table.name, reaches[table.name], bounds, lead='subject') }})
{%- endfor %};
{% endmacro -%}
