{{ config(parameters=[]) }}
with

lines as (
    select * from {{ pending_relation('lines') }} where identifier is null
),

tracks as (
    select * from {{ pending_relation('tracks') }}
),

replaced as (
    select line_number, min(ordinal) as ordinal
    from {{ pending_relation('cited_keys') }}
    where is_replaced
    group by line_number
),

final as (
    select
        lines.line_number,
        tracks.track,
        lines.claim_id,
        lines."object",
        lines."scope",
        lines.dedup_key is not null as is_keyed,
        -- rule: revise.observed-attest
        -- A write's own instant is the commit's stamp; the lines of a batch stand a microsecond apart, in order.
        coalesce(
            lines.observed_at,
            make_timestamp(this_commit.stamp + lines.line_number * this_commit.lines_apart)::timestamptz
        ) as valid_from,
        lines.valid_until,
        format(
            '{} {}:{}',
            lines.evidence[replaced.ordinal]."table",
            lines.evidence[replaced.ordinal].run,
            lines.evidence[replaced.ordinal].seq
        ) as replaced_citation
    from lines
    inner join tracks
        on
            lines.subject = tracks.subject
            and lines.predicate = tracks.predicate
            and lines."scope" is not distinct from tracks."scope"
    cross join {{ pending_relation('this_commit') }} as this_commit
    left join replaced on lines.line_number = replaced.line_number
)

select * from final
