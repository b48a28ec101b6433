{{ config(parameters=[]) }}
with

digests as (
    select
        cited_keys.line_number,
        map_from_entries(list((cited_keys.ordinal, {{ key_digest(
            'lines.evidence[cited_keys.ordinal]."table"', 'cited_keys.row_key'
        ) }}))) as digests
    from {{ pending_relation('cited_keys') }} as cited_keys
    inner join {{ pending_relation('lines') }} as lines on cited_keys.line_number = lines.line_number
    group by cited_keys.line_number
),

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
        lines.claim_id,
        lines.subject,
        lines.predicate,
        lines."object",
        lines."scope",
        this_commit.tier,
        lines.confidence,
        landed.valid_from,
        lines.valid_until as valid_to,
        case
            when digests.digests is null then lines.evidence
            else list_transform(
                range(1, len(lines.evidence) + 1),
                lambda i: struct_pack(
                    "table" := lines.evidence[i]."table",
                    run := lines.evidence[i].run,
                    seq := lines.evidence[i].seq,
                    key_digest := digests.digests[i]
                )
            )
        end as evidence,
        null::varchar as superseded_by,
        this_commit.grant_id,
        this_commit.agent,
        coalesce(lines.available_at, make_timestamp(this_commit.stamp)::timestamptz) as available_at,
        make_timestamp_ns(this_commit.stamp * 1000) as _ingested_at,
        this_commit.run as _run_id,
        lines.line_number - 1 as _row_seq,
        this_commit.author as _authored_by,
        this_commit.taint as _taint
    from lines
    inner join landed on lines.line_number = landed.line_number
    cross join {{ pending_relation('this_commit') }} as this_commit
    left join digests on lines.line_number = digests.line_number
)

select * from final
