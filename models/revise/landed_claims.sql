{{ config(parameters=['p_stamp', 'p_run', 'p_tier', 'p_grant', 'p_agent', 'p_author', 'p_taint']) }}
with

digests as (
    select
        citations.line_number,
        map_from_entries(list((citations."position", {{ key_digest(
            'lines.evidence[citations."position"]."table"', 'citations.row_key'
        ) }}))) as digests,
    from {{ pending_relation('citations') }} as citations
    inner join {{ pending_relation('lines') }} as lines on citations.line_number = lines.line_number
    group by citations.line_number
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
        p_tier::varchar as tier,
        lines.confidence,
        landed.valid_from,
        lines.valid_until as valid_to,
        case
            when digests.digests is null then lines.evidence
            else list_transform(
                lines.evidence,
                lambda c, i: struct_pack(
                    "table" := c."table", run := c.run, seq := c.seq, key_digest := digests.digests[i]
                )
            )
        end as evidence,
        null::varchar as superseded_by,
        p_grant::varchar as grant_id,
        p_agent::varchar as agent,
        coalesce(lines.available_at, make_timestamp(p_stamp::bigint)::timestamptz) as available_at,
        make_timestamp_ns(p_stamp::bigint * 1000) as _ingested_at,
        p_run::varchar as _run_id,
        lines.line_number - 1 as _row_seq,
        p_author::varchar as _authored_by,
        p_taint::varchar as _taint,
    from lines
    inner join landed on lines.line_number = landed.line_number
    left join digests on lines.line_number = digests.line_number
)

select * from final
