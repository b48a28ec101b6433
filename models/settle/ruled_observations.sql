{{ config(parameters=['p_predictions']) }}
with

lines as (
    select * from {{ pending_relation('observation_lines') }} where identifier is null
),

registrations as (
    select * from {{ pending_relation('registrations') }}
),

checked as (
    select
        lines.*,
        case
            -- rule: settle.prediction-unregistered
            when registrations.prediction_id is null then 'OutcomePredictionUnregistered'
            when {{ is_source_mismatch('lines', 'registrations') | indent(12) }} then 'OutcomeSourceMismatch'
            when {{ lacks_citation('lines', 'registrations') | indent(12) }} then 'OutcomeCitationMissing'
        end as refusal,
        {{ source_text('registrations') }} as registered_source,
        {{ source_text('lines') }} as observed_source
    from lines
    left join registrations on lines.prediction_id = registrations.prediction_id
),

-- A prediction's observations in order, the stored one first.
told as (
    select 0 as line_number, *
    from {{ pending_relation('observations') }}
    union all by name
    select line_number, {{ observation_members() | map('tojson') | join(', ') }}
    from checked
    where refusal is null
),

settlements as (
    select prediction_id, min(line_number) as line_number
    from told
    where verdict is not null
    group by prediction_id
),

-- What a line meets: the observation before it, for without a verdict each replaces the last; after the first verdict,
-- that one for good.
numbered as (
    select
        told.line_number,
        settlements.line_number < told.line_number as is_settled,
        case
            when is_settled then settlements.line_number
            else lag(told.line_number) over (partition by told.prediction_id order by told.line_number asc)
        end as met_number
    from told
    left join settlements on told.prediction_id = settlements.prediction_id
),

compared as (
    select
        numbered.line_number,
        numbered.is_settled,
        numbered.met_number is null as is_first,
        {{ first_difference('told', 'met', observation_members()) | indent(8) }} as difference
    from numbered
    inner join told on numbered.line_number = told.line_number
    left join told as met on numbered.met_number = met.line_number and told.prediction_id = met.prediction_id
    where numbered.line_number > 0
),

ruled as (
    select
        checked.*,
        case
            when checked.refusal is not null then 'refused'
            -- rule: settle.restated-landing
            when compared.difference is null and not compared.is_first then 'restated'
            when compared.is_settled then 'refused'
            else 'landed'
        end as outcome,
        -- rule: settle.outcome-settled
        case when outcome = 'refused' then coalesce(checked.refusal, 'OutcomeAlreadySettled') end as final_refusal
    from checked
    left join compared on checked.line_number = compared.line_number
),

final as (
    select
        line_number,
        outcome,
        final_refusal as identifier,
        {{ observation_refusal('final_refusal', 'p_predictions') | indent(8) }} as message
    from ruled
)

select * from final
