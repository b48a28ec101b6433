{{ config(parameters=[]) }}
with

final as (
    select line_number, identifier, message from {{ pending_relation('lines') }} where identifier is not null
    union all
    select line_number, identifier, message from {{ pending_relation('decided') }} where outcome = 'refused'
)

select * from final
order by line_number
