{#-
    `session.all_letters`: every dead letter; `_table` is the claims table it belongs to, is_partial whether columns of that
    are masked. None of a table with a row filter: a letter may tell of claims that it hides.
-#}
{%- macro session_letters(tables, reaches, bounds) -%}
create or replace view session.all_letters as
select
    null::varchar as _table, null::varchar as letter_id, null::varchar as stage, null::varchar as reason,
    null::varchar as detail, null::varchar as response, null::varchar as template_hash,
    null::struct("table" varchar, run varchar, seq bigint, key_digest varchar)[] as evidence,
    null::timestamp_ns as _ingested_at, null::varchar as _run_id, null::bigint as _row_seq,
    null::boolean as is_partial
where false
{%- for table in tables if table.shape == 'memory_facts' and not table.filters %}
{%- set side = table.name ~ '_letters' %}
union all by name
select
    '{{ table.name }}' as _table, letter_id, stage, reason, detail, response, template_hash, evidence,
    _ingested_at, _run_id, _row_seq, {{ 'true' if table.masks else 'false' }} as is_partial
from ({{ landed_rows(side, reaches[side], bounds) }})
{%- endfor %};
{% endmacro -%}
