{{ config(parameters=['p_table']) }}
with

touched_keys as (
    select distinct claim_id, valid_from from {{ pending_relation('versions') }}
),

stored as (
    select * from {{ session_relation('all_closures') }}
),

final as (
    select
        stored.claim_id,
        stored.valid_from,
        stored.closed_at,
        stored.reason,
        stored._ingested_at,
        stored._run_id,
        stored._row_seq
    from stored
    inner join touched_keys on stored.claim_id = touched_keys.claim_id and stored.valid_from = touched_keys.valid_from
    where stored._table = p_table::varchar
)

select * from final
