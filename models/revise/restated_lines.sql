{{ config(parameters=['p_tier']) }}
with

undecided as (
    select * from {{ pending_relation('undecided') }}
),

held_claims as (
    select claim_id, min(valid_from) as valid_from
    from {{ pending_relation('versions') }}
    group by claim_id
),

-- A retry under a dedup key always succeeds: the claim may be held in any state, retracted too.
keyed as (
    select undecided.line_number, undecided.track, held_claims.valid_from
    from undecided
    inner join held_claims on undecided.claim_id = held_claims.claim_id
    where undecided.is_keyed
),

-- Loading a file twice: the very key stands. No later line of the batch can change that, so it needs no turn.
unkeyed as (
    select undecided.line_number, undecided.track, undecided.valid_from
    from undecided
    inner join {{ pending_relation('states') }} as states
        on undecided.claim_id = states.claim_id and undecided.valid_from = states.valid_from
    where not undecided.is_keyed and {{ says_again('states', 'p_tier') }}
),

restated as (
    select * from keyed
    union all
    select * from unkeyed
),

final as (
    select
        line_number,
        track,
        'restated' as outcome,
        valid_from,
        0::bigint as retired,
        null::varchar as identifier,
        null::varchar as message,
        null::timestamptz[] as closes,
        null::varchar[] as collides_with
    from restated
)

select * from final
