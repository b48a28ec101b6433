{{ config(parameters=['p_table', 'p_claim_id']) }}
with

stored as (
    select * from {{ session_relation('all_memory_facts') }}
),

-- A claim's id fixes its subject, predicate and scope.
final as (
    select distinct
        1::bigint as track,
        subject,
        predicate,
        "scope"
    from stored
    where _table = p_table::varchar and claim_id = p_claim_id::varchar and is_hidden is not true
)

select * from final
