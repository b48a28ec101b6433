{{ config(parameters=['p_tier']) }}
with

states as (
    select * from {{ pending_relation('states') }}
),

-- The lines whose turn it may be. More than one of a track, since a line that lands nothing leaves the next its turn.
candidates as (
    select undecided.*, {{ tier_rank('p_tier::varchar') }} as tier_rank
    from {{ pending_relation('undecided') }} as undecided
    where undecided.track not in (select chained.track from {{ pending_relation('chained') }} as chained)
    qualify row_number() over (partition by undecided.track order by undecided.line_number asc) <= 1024
),

met as (
    select
        line.line_number,
        state.valid_from as starts_at,
        state.tier_rank >= line.tier_rank as is_as_high,
        state.claim_id = line.claim_id as is_same_claim,
        is_same_claim
        and state.valid_from <= line.valid_from
        and (state.valid_to is null or state.valid_to > line.valid_from) as is_live,
        is_same_claim and state.valid_from = line.valid_from and {{ says_again('state', 'p_tier') }} as is_same_key,
        state.is_in_unresolved_pair and line.valid_until is null and line.valid_from > state.valid_from as is_resolved,
        is_same_claim
        and line.valid_until is null
        and state.valid_to is null
        and state.superseded_by is null
        and state.valid_from > line.valid_from as stands_later,
        {{ is_out_of_order('state', 'line') | indent(8) }} as is_contradicted
    from candidates as line
    inner join states as state on line.track = state.track
),

findings as (
    select
        line_number,
        max(starts_at) filter (is_same_key) as same_key_from,
        max(starts_at) filter (is_live and is_as_high and not is_resolved) as live_from,
        coalesce(bool_or(is_live and is_as_high), false) as is_live_as_high,
        min(starts_at) filter (is_live and not is_as_high) as lower_from,
        list(starts_at) filter (stands_later and not is_as_high) as lower_later,
        min(starts_at) filter (is_contradicted) as contradicted_from
    from met
    group by line_number
),

held as (
    select claim_id, min(valid_from) as valid_from
    from {{ pending_relation('versions') }}
    where claim_id in (select candidates.claim_id from candidates where candidates.is_keyed)
    group by claim_id
),

-- Checks in the contract's order: held or restated, citations, observed order; then the line lands.
judged as (
    select
        candidates.*,
        case
            -- rule: revise.dedup-key
            when candidates.is_keyed then held.valid_from
            else coalesce(findings.same_key_from, findings.live_from)
        end as restated_from,
        case when not findings.is_live_as_high then findings.lower_from end as promoted_from,
        case when promoted_from is null then findings.lower_later end as closes,
        findings.contradicted_from,
        case
            when restated_from is not null then 'restated'
            -- rule: revise.citation-live, revise.observed-order
            when candidates.replaced_citation is not null or findings.contradicted_from is not null then 'refused'
            else 'landed'
        end as outcome
    from candidates
    left join findings on candidates.line_number = findings.line_number
    left join held on candidates.is_keyed and candidates.claim_id = held.claim_id
),

-- A line that lands changes what the next ones of its track meet: they wait for the next round.
in_turn as (
    select
        * exclude (valid_from, tier_rank),
        p_tier::varchar as tier,
        coalesce(restated_from, promoted_from, valid_from) as valid_from
    from judged
    qualify count(*) filter (outcome = 'landed') over (
        partition by track order by line_number asc rows between unbounded preceding and 1 preceding
    ) = 0
),

collisions as (
    select line.line_number, list(state.claim_id order by state.claim_id) as collides_with
    from in_turn as line
    inner join states as state on line.track = state.track
    where line.outcome = 'landed' and {{ is_collision_pair('state', 'line') }}
    group by line.line_number
),

final as (
    select
        in_turn.line_number,
        in_turn.track,
        in_turn.outcome,
        in_turn.valid_from,
        0::bigint as retired,
        case
            when in_turn.outcome <> 'refused' then null
            when in_turn.replaced_citation is not null then 'MemoryCitationNotLive'
            else 'MemoryObservationOutOfOrder'
        end as identifier,
        {{ refusal_message('in_turn') | indent(8) }} as message,
        case when in_turn.outcome = 'landed' then in_turn.closes end as closes,
        collisions.collides_with
    from in_turn
    left join collisions on in_turn.line_number = collisions.line_number
)

select * from final
