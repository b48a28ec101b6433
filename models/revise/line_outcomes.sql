{{ config(parameters=[]) }}
with

final as (
    select
        lines.claim_id,
        decided.outcome = 'landed' as landed,
        {{ instant_text('decided.valid_from') }} as valid_from
    from {{ pending_relation('decided') }} as decided
    inner join {{ pending_relation('lines') }} as lines on decided.line_number = lines.line_number
    where decided.outcome <> 'refused'
    order by decided.line_number asc
)

select * from final
