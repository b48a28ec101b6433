{{ config(parameters=[]) }}
with

lines as (
    select * from {{ pending_relation('observation_lines') }}
),

registrations as (
    select * from {{ pending_relation('registrations') }}
),

-- The line itself is what is stored now, whether it landed or was stored before.
judged as (
    select
        null::varchar as outcomes_table,
        lines.prediction_id,
        registrations.subject,
        registrations.resolution_source,
        lines.observed_at,
        lines.verdict,
        lines.signal,
        lines.settling_citation,
        {{ lead_time_s('registrations', 'lines') }} as lead_time_s,
        {{ unlabelled_because('registrations', 'lines') | indent(8) }} as unlabelled_because
    from lines
    inner join registrations on lines.prediction_id = registrations.prediction_id
),

labels as (
    {{ label_rows('judged') | indent(4) }}
),

final as (
    select
        judged.unlabelled_because,
        labels.prediction_id,
        labels.subject,
        labels.resolution_source,
        labels.verdict,
        labels.signal,
        labels.settling_citation,
        labels.lead_time_s
    from judged
    left join labels on judged.prediction_id = labels.prediction_id
)

select * from final
