with

spells as (
    select * from {{ ref('congress_seat_spells') }}
),

legislators as (
    {{ newest_version(session_relation('congress_legislators', declared=true), ['bioguide']) }}
),

final as (
    select
        legislators.full_name as subject,
        'holds_seat' as predicate,
        spells.seat as object,
        null::varchar as scope,
        1.0::double as confidence,
        list_append(spells.citations, {{ citation('congress_legislators', 'legislators') }}) as evidence,
        spells.started_on::timestamptz as observed_at,
        spells.left_on::timestamptz as valid_until,
        null::varchar as dedup_key
    from spells
    inner join legislators on spells.bioguide = legislators.bioguide
)

select * from final
