{{ config(parameters=['p_table']) }}
with

tracks as (
    select * from {{ pending_relation('tracks') }}
),

stored as (
    select * from {{ session_relation('all_memory_facts') }}
),

final as (
    select
        tracks.track,
        stored.claim_id,
        stored."object",
        stored."scope",
        stored.tier,
        stored.valid_from,
        stored.valid_to,
        stored._ingested_at,
        stored._run_id,
        stored._row_seq
    from stored
    inner join tracks
        on
            stored.subject = tracks.subject
            and stored.predicate = tracks.predicate
            and stored."scope" is not distinct from tracks."scope"
    where stored._table = p_table::varchar
)

select * from final
