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

first_lines as (
    select track, arg_min(valid_from, line_number) as valid_from
    from undecided
    group by track
),

-- A line that starts after everything before it meets only what reaches beyond its start. Of that, the lines of this
-- write can only end what is open-ended and of no higher tier.
states as (
    select
        states.*,
        states.valid_to is null or states.valid_to > first_lines.valid_from as is_reaching,
        states.is_open and states.tier_rank <= {{ tier_rank('p_tier::varchar') }} as can_end,
        states.tier_rank > {{ tier_rank('p_tier::varchar') }} as is_higher,
        states.tier_rank < {{ tier_rank('p_tier::varchar') }} as is_lower
    from {{ pending_relation('states') }} as states
    inner join first_lines on states.track = first_lines.track
),

reached as (
    select
        track,
        max(valid_from) as latest_start,
        count(*) filter (is_reaching and can_end) as standing,
        coalesce(bool_or(is_reaching and can_end and valid_to is not null), false) as has_expiring
    from states
    group by track
),

-- What a line may say again; a claim that is uncertain to be only restated stops the chain.
reached_claims as (
    select
        track,
        claim_id,
        bool_or(is_higher) as is_higher,
        bool_or(is_lower or valid_to is not null or is_in_unresolved_pair) as is_uncertain
    from states
    where is_reaching
    group by track, claim_id
),

-- A bounded claim may still hold when it is said again. Only tracks with bounded lines are looked at.
bounded_claims as (
    select track, claim_id
    from undecided
    where track in (select bounded.track from undecided as bounded where bounded.valid_until is not null)
    group by track, claim_id
    having count(*) = 1 and count(valid_until) = 1
),

placed as (
    select
        undecided.*,
        coalesce(reached.standing, 0) as standing,
        reached_claims.claim_id is not null as is_reached,
        reached_claims.is_higher and not undecided.is_keyed is true as is_restated_from_above,
        (undecided.latest_before is null or undecided.valid_from > undecided.latest_before)
        and (reached.track is null or (undecided.valid_from > reached.latest_start and not reached.has_expiring))
        and not coalesce(reached_claims.is_uncertain, false)
        and (undecided.valid_until is null or bounded_claims.claim_id is not null)
        and undecided.replaced_citation is null as is_in_line
    from undecided
    left join reached on undecided.track = reached.track
    left join reached_claims
        on undecided.track = reached_claims.track and undecided.claim_id = reached_claims.claim_id
    left join bounded_claims
        on undecided.track = bounded_claims.track and undecided.claim_id = bounded_claims.claim_id
),

-- A chain ends before the first line of its track that is not in line.
chain_ends as (
    select track, min(line_number) as line_number
    from placed
    where not is_in_line
    group by track
),

-- From the second line on under one key.
keyed_repeats as (
    select line_number
    from placed
    where is_keyed
    qualify row_number() over (partition by track, claim_id order by line_number asc) > 1
),

in_line as (
    select
        placed.*,
        coalesce(placed.is_restated_from_above, false) or keyed_repeats.line_number is not null as is_repeated
    from placed
    left join chain_ends on placed.track = chain_ends.track
    left join keyed_repeats on placed.line_number = keyed_repeats.line_number
    where chain_ends.line_number is null or placed.line_number < chain_ends.line_number
),

-- The first open claim that is new ends all that stands; from it on, each open claim ends the one before.
turns as (
    select track, min(line_number) as line_number
    from in_line
    where valid_until is null and not is_repeated and not is_reached
    group by track
),

turned as (
    select
        in_line.*,
        turns.line_number as turn
    from in_line
    left join turns on in_line.track = turns.track
),

chained as (
    select
        *,
        coalesce(line_number > turn, false) as is_after_turn,
        last_value(
            case when valid_until is null and not is_repeated and line_number >= turn then claim_id end ignore nulls
        ) over (partition by track order by line_number asc rows between unbounded preceding and 1 preceding)
            as running_head
    from turned
),

final as (
    select
        line_number,
        track,
        case
            when is_repeated then 'restated'
            when is_after_turn and claim_id = running_head then 'restated'
            when not is_after_turn and is_reached then 'restated'
            else 'landed'
        end as outcome,
        -- Which interval a line of a batch restates is told to nobody.
        case when outcome = 'landed' then valid_from end as valid_from,
        case
            when outcome <> 'landed' or valid_until is not null then 0
            when is_after_turn then 1
            else standing
        end::bigint as retired,
        null::varchar as identifier,
        null::varchar as message,
        null::timestamptz[] as closes,
        null::varchar[] as collides_with
    from chained
)

select * from final
