{{ config(parameters=[]) }}
with

lines as (
    select * from {{ pending_relation('lines') }}
),

pairs as (
    select line_number, valid_from, unnest(collides_with) as other_claim_id
    from {{ pending_relation('decided') }}
    where outcome = 'landed'
),

final as (
    select
        'l-' || left(sha256(concat_ws(':', this_commit.run, pairs.line_number, pairs.other_claim_id)), 24) as letter_id,
        'revise' as stage,
        'unscoped-collision' as reason,
        lines.claim_id || ' and ' || pairs.other_claim_id || ' give different objects from '
        || {{ instant_text('pairs.valid_from') }} || ' on; a write observed after that instant resolves it' as detail,
        null::varchar as response,
        null::varchar as template_hash,
        lines.evidence,
        make_timestamp_ns(this_commit.stamp * 1000) as _ingested_at,
        this_commit.run as _run_id,
        lines.line_number - 1 as _row_seq,
        this_commit.author as _authored_by,
        this_commit.taint as _taint
    from pairs
    inner join lines on pairs.line_number = lines.line_number
    cross join {{ pending_relation('this_commit') }} as this_commit
)

select * from final
