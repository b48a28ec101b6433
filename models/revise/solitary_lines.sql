{{ config(parameters=[]) }}
with

states as (
    select * from {{ pending_relation('states') }}
),

lines as (
    select
        *,
        lag(valid_from) over (partition by track order by valid_from asc, line_number asc) as start_before,
        lead(valid_from) over (partition by track order by valid_from asc, line_number asc) as start_after
    from {{ pending_relation('undecided') }}
    where track not in (select chained.track from {{ pending_relation('chained') }} as chained)
),

said_once as (
    select track, claim_id
    from lines
    group by track, claim_id
    having count(*) = 1
),

-- A bounded line whose claim is new, whose start no other shares, and within which no other line starts: whatever
-- becomes of the lines beside it, it replaces nothing, restates nothing, and only what is stored can refuse it.
placed as (
    select
        lines.*,
        lines.valid_until is not null
        and lines.replaced_citation is null
        and (lines.start_before is null or lines.start_before < lines.valid_from)
        and (lines.start_after is null or lines.start_after >= lines.valid_until)
        and said_once.claim_id is not null
        and not exists (
            select 1 from states where states.track = lines.track and states.claim_id = lines.claim_id
        )
        and not exists (
            select 1 from states where states.track = lines.track and states.valid_from = lines.valid_from
        ) as is_solitary
    from lines
    left join said_once on lines.track = said_once.track and lines.claim_id = said_once.claim_id
),

solitary as (
    select *
    from placed
    qualify coalesce(line_number < min(line_number) filter (not is_solitary) over (partition by track), true)
),

contradicted as (
    select line.line_number, min(state.valid_from) as contradicted_from
    from solitary as line
    inner join states as state on line.track = state.track
    where {{ is_out_of_order('state', 'line') }}
    group by line.line_number
),

judged as (
    select
        solitary.*,
        contradicted.contradicted_from,
        case when contradicted.line_number is null then 'landed' else 'refused' end as outcome
    from solitary
    left join contradicted on solitary.line_number = contradicted.line_number
),

final as (
    select
        line_number,
        track,
        outcome,
        valid_from,
        0::bigint as retired,
        case when outcome = 'refused' then 'MemoryObservationOutOfOrder' end as identifier,
        {{ refusal_message('judged') | indent(8) }} as message,
        null::timestamptz[] as closes,
        null::varchar[] as collides_with
    from judged
)

select * from final
