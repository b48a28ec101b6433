{{ config(parameters=[]) }}
with

lines as (
    select line_number, identifier, message from {{ pending_relation('registration_lines') }}
    union all
    select line_number, identifier, message from {{ pending_relation('observation_lines') }}
),

final as (
    select line_number, identifier, message from lines where identifier is not null
    union all
    select line_number, identifier, message from {{ pending_relation('rulings') }} where outcome = 'refused'
)

select * from final
order by line_number
