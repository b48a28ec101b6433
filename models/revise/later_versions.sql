{{ config(parameters=['p_table', 'p_after']) }}
with

stored as (
    select * from {{ session_relation('all_memory_facts') }}
),

final as (
    select
        subject,
        predicate,
        "scope",
        claim_id,
        "object",
        tier,
        valid_from,
        valid_to,
        _ingested_at,
        _run_id,
        _row_seq
    from stored
    where _table = p_table::varchar and _ingested_at > make_timestamp_ns(p_after::bigint)
)

select * from final
