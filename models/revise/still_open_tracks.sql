{{ config(parameters=[]) }}
with

-- A track also stays for the round after its last line landed, which counts what that line has ended.
final as (
    select track
    from {{ pending_relation('undecided') }}
    where line_number not in (select decided.line_number from {{ pending_relation('decided') }} as decided)
    union
    select track from {{ pending_relation('ruled') }} where outcome = 'landed'
)

select * from final
