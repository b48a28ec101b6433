-- A returned row is a place on a committee whose member or committee was never landed: no claim is made of it.
with

memberships as (
    {{ newest_version(session_relation('congress_memberships', declared=true), ['committee_id', 'bioguide']) }}
),

legislators as (
    select * from {{ session_relation('congress_legislators', declared=true) }}
),

committees as (
    select * from {{ ref('congress_committee_names') }}
),

final as (
    select
        memberships.committee_id,
        memberships.bioguide
    from memberships
    left join legislators on memberships.bioguide = legislators.bioguide
    left join committees on memberships.committee_id = committees.committee_id
    where legislators.bioguide is null or committees.committee_id is null
)

select * from final
