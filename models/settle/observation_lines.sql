{{ config(parameters=['p_available_column := null', 'p_available_zone := null']) }}
with

parsed as (
    {{ parsed_members(observation_members(), 'p_available_column') | indent(4) }}
),

given as (
    select
        parsed.* exclude (observed_at, available_at),
        parsed.observed_at as observed_text,
        parsed.available_at as available_text,
        {{ stored_instant('parsed.observed_at') }} as observed_at,
        {{ stored_instant('parsed.available_at', 'p_available_zone') }} as available_at
    from parsed
),

faults as (
    select
        *,
        {{ observation_fault(observation_members(), 'p_available_column') | indent(8) }} as form_fault,
        case
            {{ instant_faults("'observed_at'", 'observed_at_kind', 'observed_text', 'observed_at') | indent(12) }}
            {{ instant_faults(
                'p_available_column', 'available_kind', 'available_text', 'available_at'
            ) | indent(12) }}
        end as instant_fault
    from given
),

final as (
    select
        line_number,
        prediction_id,
        observed_at,
        verdict,
        resolution_source,
        signal,
        settling_citation,
        metric,
        "value",
        available_at,
        case
            when form_fault is not null then 'ArgumentMalformed'
            when instant_fault is not null then 'InstantMalformed'
        end as identifier,
        coalesce(form_fault, instant_fault) as message
    from faults
)

select * from final
