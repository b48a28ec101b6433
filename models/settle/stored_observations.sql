{{ config(parameters=['p_table']) }}
with

newest as (
    {{ newest_named('all_outcomes', 'p_table') | indent(4) }}
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
