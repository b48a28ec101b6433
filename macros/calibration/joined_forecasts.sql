{#-
    The verdict-bearing labels of claims tables, each joined to the claim that made the prediction, with the confidence
    that this claim was first asserted with: a later assertion may know better, and a retracted claim was a forecast too.
    rule: settle.calibration-verb, synthesize.confidence-calibration

    judged                       relation: judged_predictions
    table                        SQL expression: the claims table; null: all that declare labels
    as_of, available_as_of       bounds of the read, as judged was made under
    since, until                 bounds on observed_at, inclusive; null for none
-#}
{% macro joined_forecasts(judged, table='null', as_of='null', available_as_of='null', since='null', until='null') -%}
    with
    labelled_tables as (
        select _table as claims_table, labels as outcomes_table
        from {{ session_relation('declared_tables') }}
        where
            shape = 'memory_facts'
            and labels is not null
            and ({{ table }}::varchar is null or _table = {{ table }}::varchar)
    ),

    settled as (
        select claims_table, prediction_id, verdict, observed_at, is_registered_late
        from {{ judged }}
        inner join labelled_tables using (outcomes_table)
        where
            state = 'settled'
            and {{ is_observed_within(since, until) }}
    ),

    assertions as (
        select settled.*, facts.predicate, facts.confidence as score, facts.is_hidden, facts._ingested_at,
            facts._run_id, facts._row_seq
        from settled
        inner join {{ session_relation('all_memory_facts') }} as facts
            on settled.claims_table = facts._table and settled.prediction_id = facts.claim_id
        where {{ is_committed(as_of, available_as_of) }}
    ),

    first_assertions as (
        {{ earliest_version('assertions', ['claims_table', 'prediction_id']) | indent(8) }}
    ),

    final as (
        select
            claims_table,
            'memory_facts' as shape,
            {{ shown('predicate', 'claims_table') }} as predicate,
            prediction_id,
            case when not {{ is_masked('confidence', 'claims_table') }} then score end as score,
            verdict,
            observed_at,
            is_registered_late
        from first_assertions
        where is_hidden is not true and not {{ is_masked('claim_id', 'claims_table') }}
    )

    select * from final
{%- endmacro %}
