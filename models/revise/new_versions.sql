{{ config(parameters=['p_stamp', 'p_run', 'p_tier']) }}
with

decided as (
    select * from {{ pending_relation('chained') }}
    union all
    select * from {{ pending_relation('ruled') }}
),

undecided as (
    select * from {{ pending_relation('undecided') }}
),

final as (
    select
        undecided.track,
        undecided.claim_id,
        undecided."object",
        undecided."scope",
        p_tier::varchar as tier,
        decided.valid_from,
        undecided.valid_until as valid_to,
        make_timestamp_ns(p_stamp::bigint * 1000) as _ingested_at,
        p_run::varchar as _run_id,
        undecided.line_number - 1 as _row_seq,
    from undecided
    inner join decided on undecided.line_number = decided.line_number
    where decided.outcome = 'landed'
)

select * from final
