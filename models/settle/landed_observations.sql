{{ config(parameters=[]) }}
with

lines as (
    select * from {{ pending_relation('observation_lines') }}
),

landed as (
    select line_number from {{ pending_relation('rulings') }} where outcome = 'landed'
),

final as (
    select
        lines.prediction_id,
        lines.observed_at,
        lines.verdict,
        lines.resolution_source,
        lines.signal,
        lines.settling_citation,
        lines.metric,
        lines."value",
        {{ landing_columns('lines', 'this_commit') | indent(8) }}
    from lines
    inner join landed on lines.line_number = landed.line_number
    cross join {{ pending_relation('this_commit') }} as this_commit
)

select * from final
