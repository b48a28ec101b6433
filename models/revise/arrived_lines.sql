{{ config(parameters=['p_stamp', 'p_lines_apart']) }}
with

lines as (
    select * from {{ pending_relation('lines') }} where identifier is null
),

tracks as (
    select * from {{ pending_relation('tracks') }}
),

replaced as (
    select line_number, min("position") as "position"
    from {{ pending_relation('citations') }}
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
        -- A write's own instant is the commit's stamp; the lines of a batch stand a microsecond apart, in order.
        coalesce(
            lines.observed_at, make_timestamp(p_stamp::bigint + lines.line_number * p_lines_apart::bigint)::timestamptz
        ) as valid_from,
        lines.valid_until,
        format(
            '{} {}:{}',
            lines.evidence[replaced."position"]."table",
            lines.evidence[replaced."position"].run,
            lines.evidence[replaced."position"].seq
        ) as replaced_citation,
    from lines
    inner join tracks
        on
            lines.subject = tracks.subject
            and lines.predicate = tracks.predicate
            and lines."scope" is not distinct from tracks."scope"
    left join replaced on lines.line_number = replaced.line_number
)

select * from final
