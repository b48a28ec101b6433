{{ config(parameters=[]) }}
with

lines as (
    select * from {{ pending_relation('lines') }}
),

landed as (
    select line_number, valid_from
    from {{ pending_relation('decided') }}
    where outcome = 'landed'
),

final as (
    select
        lines.subject,
        lines.predicate,
        lines."scope",
        lines.claim_id,
        lines."object",
        this_commit.tier,
        landed.valid_from,
        lines.valid_until as valid_to,
        make_timestamp_ns(this_commit.stamp * 1000) as _ingested_at,
        this_commit.run as _run_id,
        lines.line_number - 1 as _row_seq
    from lines
    inner join landed on lines.line_number = landed.line_number
    cross join {{ pending_relation('this_commit') }} as this_commit
)

select * from final
