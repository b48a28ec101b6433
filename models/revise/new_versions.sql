{{ config(parameters=[]) }}
with

decided as (
    select * from {{ pending_relation('chained') }}
    union all
    select * from {{ pending_relation('ruled') }}
),

-- Only what another round will meet.
undecided as (
    select *
    from {{ pending_relation('undecided') }}
    where track in (select open_tracks.track from {{ pending_relation('open_tracks') }} as open_tracks)
),

final as (
    select
        undecided.track,
        undecided.claim_id,
        undecided."object",
        undecided."scope",
        this_commit.tier,
        decided.valid_from,
        undecided.valid_until as valid_to,
        make_timestamp_ns(this_commit.stamp * 1000) as _ingested_at,
        this_commit.run as _run_id,
        undecided.line_number - 1 as _row_seq
    from undecided
    inner join decided on undecided.line_number = decided.line_number
    cross join {{ pending_relation('this_commit') }} as this_commit
    where decided.outcome = 'landed'
)

select * from final
