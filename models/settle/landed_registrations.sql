{{ config(parameters=[]) }}
with

lines as (
    select * from {{ pending_relation('registration_lines') }}
),

landed as (
    select line_number from {{ pending_relation('rulings') }} where outcome = 'landed'
),

final as (
    select
        lines.prediction_id,
        lines.subject,
        lines.predicted_at,
        lines.horizon_secs,
        lines.deadline_at,
        lines.watch,
        lines.resolution_source,
        lines.comparator,
        lines."statement",
        lines.metric,
        {{ landing_columns('lines', 'this_commit') | indent(8) }}
    from lines
    inner join landed on lines.line_number = landed.line_number
    cross join {{ pending_relation('this_commit') }} as this_commit
)

select * from final
