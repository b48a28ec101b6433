with

terms as (
    {{ newest_version(session_relation('congress_terms', declared=true), ['bioguide', 'term']) }}
),

legislators as (
    {{ newest_version(session_relation('congress_legislators', declared=true), ['bioguide']) }}
),

compared as (
    select
        *,
        coalesce(party <> lag(party) over (partition by bioguide order by term), true) as is_other_party
    from terms
),

numbered as (
    select
        *,
        count_if(is_other_party) over (partition by bioguide order by term) as spell
    from compared
),

spells as (
    select
        bioguide,
        party,
        min(start) as started_on,
        list({{ citation('congress_terms') }} order by term) as citations
    from numbered
    group by bioguide, spell, party
),

final as (
    select
        legislators.full_name as subject,
        'member_of_party' as predicate,
        spells.party as object,
        null::varchar as scope,
        1.0::double as confidence,
        list_append(spells.citations, {{ citation('congress_legislators', 'legislators') }}) as evidence,
        spells.started_on::timestamptz as observed_at,
        null::timestamptz as valid_until,
        null::varchar as dedup_key
    from spells
    inner join legislators on spells.bioguide = legislators.bioguide
)

select * from final
