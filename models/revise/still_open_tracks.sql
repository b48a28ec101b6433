{{ config(parameters=[]) }}
with

-- A track also stays for the round after its last line landed, which counts what that line has ended.
final as (
    select track from {{ pending_relation('undecided') }}
    union
    select track from {{ pending_relation('ruled') }} where outcome = 'landed'
)

select * from final
