{{ config(parameters=['p_table']) }}
with

stored as (
    select * from {{ session_relation('all_outcomes') }} where _table = p_table::varchar
),

named as (
    select stored.*
    from stored
    inner join {{ pending_relation('named_predictions') }} as named_predictions
        on stored.prediction_id = named_predictions.prediction_id
),

newest as (
    {{ newest_version('named', ['prediction_id']) | indent(4) }}
),

final as (
    select
        prediction_id,
        observed_at,
        verdict,
        resolution_source,
        signal,
        settling_citation,
        metric,
        "value"
    from newest
)

select * from final
