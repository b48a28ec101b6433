{{ config(parameters=['p_tier']) }}
with

undecided as (
    select
        *,
        max(valid_from) over (
            partition by track order by line_number asc rows between unbounded preceding and 1 preceding
        ) as latest_before
    from {{ pending_relation('undecided') }}
),

states as (
    select * from {{ pending_relation('states') }}
),

first_lines as (
    select track, arg_min(valid_from, line_number) as valid_from
    from undecided
    group by track
),

-- A line that starts after everything before it meets only what reaches beyond its start.
reaching as (
    select
        first_lines.track,
        max(states.valid_from) as latest_start,
        count(*) filter (states.valid_to is null or states.valid_to > first_lines.valid_from) as reaching,
        any_value(states.claim_id) filter (states.valid_to is null or states.valid_to > first_lines.valid_from)
            as head_claim,
        bool_and(
            states.is_open
            and states.valid_to is null
            and states.superseded_by is null
            and states.tier_rank = {{ tier_rank('p_tier::varchar') }}
            and not states.is_in_unresolved_pair
        ) filter (states.valid_to is null or states.valid_to > first_lines.valid_from) as is_plain_head
    from first_lines
    inner join states on first_lines.track = states.track
    group by first_lines.track
),

-- A bounded claim may still hold when it is said again.
bounded_claims as (
    select track, claim_id
    from undecided
    group by track, claim_id
    having count(*) = 1 and count(valid_until) = 1
),

placed as (
    select
        undecided.*,
        reaching.head_claim,
        min(undecided.line_number) filter (not coalesce(
            (undecided.latest_before is null or undecided.valid_from > undecided.latest_before)
            and (reaching.track is null or undecided.valid_from > reaching.latest_start)
            and (coalesce(reaching.reaching, 0) = 0 or (reaching.reaching = 1 and reaching.is_plain_head))
            and (undecided.valid_until is null or bounded_claims.claim_id is not null)
            and undecided.replaced_citation is null,
            false
        )) over (partition by undecided.track) as first_out_of_line
    from undecided
    left join reaching on undecided.track = reaching.track
    left join bounded_claims on undecided.track = bounded_claims.track and undecided.claim_id = bounded_claims.claim_id
),

in_line as (
    select
        *,
        is_keyed and row_number() over (partition by track, claim_id order by line_number asc) > 1 as is_said_before
    from placed
    where first_out_of_line is null or line_number < first_out_of_line
),

chained as (
    select
        *,
        coalesce(
            last_value(case when valid_until is null and not is_said_before then claim_id end ignore nulls) over (
                partition by track order by line_number asc rows between unbounded preceding and 1 preceding
            ),
            head_claim
        ) as running_head
    from in_line
),

final as (
    select
        line_number,
        track,
        case
            when is_said_before or (not is_keyed and claim_id = running_head is true) then 'restated'
            else 'landed'
        end as outcome,
        -- Which interval a line of a batch restates is told to nobody.
        case when outcome = 'landed' then valid_from end as valid_from,
        (outcome = 'landed' and valid_until is null and running_head is not null)::bigint as retired,
        null::varchar as identifier,
        null::varchar as message,
        null::timestamptz[] as closes,
        null::varchar[] as collides_with
    from chained
)

select * from final
