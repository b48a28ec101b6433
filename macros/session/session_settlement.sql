{#-
    `session.all_predictions` and `session.all_outcomes`: every version of what the tables of these shapes hold, `_table`
    naming where it stands; available_at as in session_facts.
-#}
{%- macro session_settlement(tables, reaches, bounds) -%}
create or replace view session.all_predictions as
select
    null::varchar as _table, null::varchar as prediction_id, null::varchar as subject, null::timestamptz as predicted_at,
    null::bigint as horizon_secs, null::timestamptz as deadline_at, null::boolean as watch,
    null::varchar as resolution_source, null::varchar as comparator, null::varchar as statement,
    null::varchar as metric, {{ no_landing() }}
where false
{{- settlement_rows(tables, reaches, bounds, 'predictions', [
    'prediction_id', 'subject', 'predicted_at', 'horizon_secs', 'deadline_at', 'watch', 'resolution_source',
    'comparator', 'statement', 'metric'
]) }};
create or replace view session.all_outcomes as
select
    null::varchar as _table, null::varchar as prediction_id, null::timestamptz as observed_at, null::boolean as verdict,
    null::varchar as resolution_source, null::varchar as signal, null::varchar as settling_citation,
    null::varchar as metric, null::double as "value", {{ no_landing() }}
where false
{{- settlement_rows(tables, reaches, bounds, 'outcomes', [
    'prediction_id', 'observed_at', 'verdict', 'resolution_source', 'signal', 'settling_citation', 'metric', 'value'
]) }};
{% endmacro -%}

{#- The union's branches: one for each table of the shape. -#}
{%- macro settlement_rows(tables, reaches, bounds, shape, columns) -%}
{%- for table in tables if table.shape == shape %}
union all by name
select
    '{{ table.name }}' as _table, {% for column in columns %}{{ unmasked(table, column) }}, {% endfor %}
    {% if table.available_column %}"{{ table.available_column }}"{% else %}null::timestamptz{% endif %} as available_at,
    {{ 'true' if table.available_column else 'false' }} as has_availability,
    _ingested_at, _run_id, _row_seq, _site_id, _batch_seq, _authored_by, _taint,
    {{ is_hidden(table) }} as is_hidden
from ({{ landed_rows(table.name, reaches[table.name], bounds, lead='prediction_id') }})
{%- endfor %}
{%- endmacro -%}

{#- The types of the columns that every union has besides. -#}
{%- macro no_landing() -%}
    null::timestamptz as available_at, null::boolean as has_availability, null::timestamp_ns as _ingested_at,
    null::varchar as _run_id, null::bigint as _row_seq, null::varchar as _site_id, null::bigint as _batch_seq,
    null::varchar as _authored_by, null::varchar as _taint, null::boolean as is_hidden
{%- endmacro -%}
