with

committees as (
    {{ newest_version(session_relation('congress_committees', declared=true), ['committee_id']) }}
),

final as (
    select
        committees.committee_id,
        concat_ws(': ', parents.name, committees.name) as committee_name,
        {{ citation('congress_committees', 'committees') }} as citation
    from committees
    left join committees as parents on committees.parent_committee_id = parents.committee_id
)

select * from final
