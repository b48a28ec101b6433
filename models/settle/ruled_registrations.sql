{{ config(parameters=[]) }}
with

lines as (
    select * exclude (available_at, identifier, message)
    from {{ pending_relation('registration_lines') }}
    where identifier is null
),

stored as (
    select * from {{ pending_relation('registrations') }}
),

-- What every line on a prediction must say: what is stored, else its first sound line, which lands.
first_lines as (
    select prediction_id, min(line_number) as line_number
    from lines
    group by prediction_id
),

standing as (
    select 0 as line_number, *
    from stored
    union all by name
    select lines.*
    from lines
    inner join first_lines on lines.line_number = first_lines.line_number
    anti join stored on lines.prediction_id = stored.prediction_id
),

compared as (
    select
        lines.line_number,
        lines.prediction_id,
        lines.line_number = standing.line_number as is_first,
        {{ first_difference('lines', 'standing', registration_members()) | indent(8) }} as difference
    from lines
    inner join standing on lines.prediction_id = standing.prediction_id
),

final as (
    select
        line_number,
        case
            when is_first then 'landed'
            -- rule: settle.restated-landing
            when difference is null then 'restated'
            else 'refused'
        end as outcome,
        -- rule: settle.registration-conflict
        case when outcome = 'refused' then 'OutcomeRegistrationConflict' end as identifier,
        case
            when outcome = 'refused'
                then
                    '`' || {{ quoted_name('prediction_id') }} || '` is registered with another `' || difference
                    || '`, and no registration is changed; register a new prediction_id'
        end as message
    from compared
)

select * from final
