with

seats as (
    select * from {{ ref('congress_seat_claims') }}
),

parties as (
    select * from {{ ref('congress_party_claims') }}
),

committees as (
    select * from {{ ref('congress_committee_claims') }}
),

final as (
    select * from seats
    union all
    select * from parties
    union all
    select * from committees
)

select * from final
-- For whoever writes them from a file: a claim that a later one with another object precedes would be refused.
order by subject, observed_at, predicate, object, scope
