{{ config(parameters=[]) }}
with

lines as (
    select count(*) as lines
    from (
        select line_number from {{ pending_relation('registration_lines') }}
        union all
        select line_number from {{ pending_relation('observation_lines') }}
    )
),

rulings as (
    select
        count(*) filter (outcome = 'landed') as landed,
        count(*) filter (outcome = 'restated') as restated
    from {{ pending_relation('rulings') }}
),

final as (
    select lines.lines, rulings.landed, rulings.restated
    from lines
    cross join rulings
)

select * from final
