{{ config(parameters=['p_table', 'p_prefix := null', 'p_ceiling := 10000']) }}
with

versions as (
    select *, row_number() over () as version_id
    from {{ session_relation('all_memory_facts') }}
    where _table = p_table::varchar and (p_prefix is null or starts_with(subject, p_prefix::varchar))
),

closures as (
    select * from {{ session_relation('all_closures') }} where _table = p_table::varchar
),

held as (
    {{ held_claims('versions', 'closures') | indent(4) }}
),

-- One beyond the ceiling is how an answer knows that there is more.
final as (
    select subject, count(distinct claim_id) as claims
    from held
    where is_hidden is not true and not {{ is_masked('subject') }}
    group by subject
    order by subject asc
    limit p_ceiling::bigint + 1
)

select * from final
