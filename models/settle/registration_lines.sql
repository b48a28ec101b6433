{{ config(parameters=['p_available_column := null', 'p_available_zone := null']) }}
with

parsed as (
    {{ parsed_members(registration_members(), 'p_available_column') | indent(4) }}
),

given as (
    select
        parsed.* exclude (predicted_at, deadline_at, available_at),
        parsed.predicted_at as predicted_text,
        parsed.deadline_at as deadline_text,
        parsed.available_at as available_text,
        {{ stored_instant('parsed.predicted_at') }} as predicted_at,
        {{ stored_deadline('parsed.deadline_at') }} as deadline_at,
        {{ stored_instant('parsed.available_at', 'p_available_zone') }} as available_at
    from parsed
),

faults as (
    select
        *,
        {{ registration_fault(registration_members(), 'p_available_column') | indent(8) }} as form_fault,
        case
            {{ instant_faults("'predicted_at'", 'predicted_at_kind', 'predicted_text', 'predicted_at') | indent(12) }}
            {{ instant_faults(
                "'deadline_at'", 'deadline_at_kind', 'deadline_text', 'deadline_at', takes_days=true
            ) | indent(12) }}
            {{ instant_faults(
                'p_available_column', 'available_kind', 'available_text', 'available_at'
            ) | indent(12) }}
        end as instant_fault,
        {{ deadline_fault() | indent(8) }} as deadline_fault,
        {{ metric_fault() | indent(8) }} as metric_fault,
        {{ statement_fault() | indent(8) }} as statement_fault
    from given
),

final as (
    select
        line_number,
        prediction_id,
        subject,
        predicted_at,
        horizon_secs,
        case
            when coalesce(form_fault, instant_fault, deadline_fault) is not null then null
            when horizon_secs is null then deadline_at
            else make_timestamp(epoch_us(predicted_at) + horizon_secs * 1000000)::timestamptz
        end as deadline_at,
        coalesce(watch, false) as watch,
        resolution_source,
        comparator,
        "statement",
        metric,
        available_at,
        case
            when form_fault is not null then 'OutcomeRegistrationInvalid'
            when instant_fault is not null then 'InstantMalformed'
            when deadline_fault is not null then 'OutcomeRegistrationInvalid'
            when metric_fault is not null then 'OutcomeMetricReferenceInvalid'
            when statement_fault is not null then 'OutcomeStatementTooLong'
        end as identifier,
        coalesce(form_fault, instant_fault, deadline_fault, metric_fault, statement_fault) as message
    from faults
)

select * from final
