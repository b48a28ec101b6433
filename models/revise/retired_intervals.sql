{{ config(parameters=[]) }}
with

states as (
    select * from {{ pending_relation('states') }}
),

earlier_states as (
    select * from {{ pending_relation('earlier_states') }}
),

-- At most one line of a track lands by rule in a round.
landed as (
    select ruled.line_number, ruled.track, lines.claim_id, ruled.valid_from
    from {{ pending_relation('ruled') }} as ruled
    inner join {{ pending_relation('lines') }} as lines on ruled.line_number = lines.line_number
    where ruled.outcome = 'landed'
),

final as (
    select count(*) as retired
    from landed
    inner join states
        on
            landed.track = states.track
            and landed.claim_id = states.superseded_by
            and landed.valid_from = states.superseded_from
    left join earlier_states
        on
            states.track = earlier_states.track
            and states.claim_id = earlier_states.claim_id
            and states.valid_from = earlier_states.valid_from
    where
        (earlier_states.superseded_by, earlier_states.superseded_from)
        is distinct from (states.superseded_by, states.superseded_from)
)

select * from final
