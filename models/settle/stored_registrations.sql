{{ config(parameters=['p_table']) }}
with

newest as (
    {{ newest_named('all_predictions', 'p_table') | indent(4) }}
),

final as (
    select
        prediction_id,
        subject,
        predicted_at,
        horizon_secs,
        deadline_at,
        watch,
        resolution_source,
        comparator,
        "statement",
        metric
    from newest
)

select * from final
