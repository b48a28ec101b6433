-- A returned row is a name that several members carry: claims about them would run together under one subject.
with

legislators as (
    {{ newest_version(session_relation('congress_legislators', declared=true), ['bioguide']) }}
),

final as (
    select
        full_name,
        list(bioguide order by bioguide) as members
    from legislators
    group by full_name
    having count(*) > 1
)

select * from final
