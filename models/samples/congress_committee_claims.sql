with

memberships as (
    {{ newest_version(session_relation('congress_memberships', declared=true), ['committee_id', 'bioguide']) }}
),

legislators as (
    {{ newest_version(session_relation('congress_legislators', declared=true), ['bioguide']) }}
),

committees as (
    select * from {{ ref('congress_committee_names') }}
),

places as (
    select
        legislators.full_name as member_name,
        committees.committee_name,
        memberships.party as side,
        coalesce(memberships.title, 'Member') as title,
        [
            {{ citation('congress_memberships', 'memberships') }},
            {{ citation('congress_legislators', 'legislators') }},
            committees.citation,
        ] as evidence
    from memberships
    inner join legislators on memberships.bioguide = legislators.bioguide
    inner join committees on memberships.committee_id = committees.committee_id
),

-- A member sits on several committees at once: the committee is the scope, and the title there the one value.
service as (
    select
        member_name as subject,
        'serves_on' as predicate,
        title as object,
        committee_name as scope,
        evidence
    from places
),

-- One chair at a time: of the caucus that both sides chair together, the majority's.
chairs as (
    select
        committee_name as subject,
        'chaired_by' as predicate,
        member_name as object,
        null::varchar as scope,
        evidence
    from places
    where title in ('Chair', 'Chairman', 'Chairwoman') and side = 'majority'
),

claimed as (
    select * from service
    union all
    select * from chairs
),

final as (
    select
        subject,
        predicate,
        object,
        scope,
        1.0::double as confidence,
        evidence,
        -- The lists carry no date: what they say holds from when it is written.
        null::timestamptz as observed_at,
        null::timestamptz as valid_until,
        null::varchar as dedup_key
    from claimed
)

select * from final
