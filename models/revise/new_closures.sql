{{ config(parameters=[]) }}
with

undecided as (
    select * from {{ pending_relation('undecided') }}
),

-- The stronger write takes over from the earlier instant: the key it stands in for never held.
final as (
    select
        undecided.claim_id,
        unnest(ruled.closes) as valid_from,
        null::timestamptz as closed_at,
        'promoted' as reason,
        make_timestamp_ns(this_commit.stamp * 1000) as _ingested_at,
        this_commit.run as _run_id,
        undecided.line_number - 1 as _row_seq
    from undecided
    inner join {{ pending_relation('ruled') }} as ruled on undecided.line_number = ruled.line_number
    cross join {{ pending_relation('this_commit') }} as this_commit
    where ruled.outcome = 'landed'
)

select * from final
