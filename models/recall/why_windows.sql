{{ config(parameters=['p_table', 'p_claim_id']) }}
with

subjects as (
    select subject
    from {{ session_relation('all_memory_facts') }}
    where _table = p_table::varchar and claim_id = p_claim_id::varchar
    limit 1
),

windows as materialized (
    select * from {{ ref('claim_windows') }}(p_table, (select subject from subjects))
),

of_claim as materialized (
    select * from windows where claim_id = p_claim_id::varchar
),

gated as (
    {{ evidence_gate('of_claim', 'arrival') | indent(4) }}
),

final as (
    select
        {{ instant_text('gated.valid_from') }} as valid_from,
        {{ instant_text('gated.valid_to') }} as valid_to,
        case
            when gated.valid_to = gated.superseded_by_valid_from then 'superseded'
            when gated.valid_to = gated.expired_at then 'expired'
            when gated.valid_to is not null then 'asserted'
        end as ended_by,
        gated.superseded_by,
        case
            when gated.superseded_by is not null
                then
                    'the first to arrive after it, tier ' || successor.tier || ' over ' || gated.tier
                    || case
                        when successor.valid_from = gated.valid_from then ', both from one instant'
                        else ', both open-ended as asserted'
                    end
        end as because,
        gated.valid_to is null or gated.valid_to > gated.valid_from as answers,
        gated.withheld,
        gated.is_stale
    from gated
    left join windows as successor
        on
            gated.superseded_by = successor.claim_id
            and gated.superseded_by_valid_from = successor.valid_from
    order by gated.valid_from asc
)

select * from final
