{{ config(parameters=[]) }}
with

decided as (
    select
        count(*) filter (outcome = 'landed') as landed,
        count(*) filter (outcome = 'restated') as restated,
        coalesce(sum(retired), 0)::bigint as retired,
        count(closes) > 0 as has_closures,
        count(collides_with) > 0 as has_letters
    from {{ pending_relation('decided') }}
),

lines as (
    select count(*) as lines from {{ pending_relation('lines') }}
),

final as (
    select lines.lines, decided.*
    from lines
    cross join decided
)

select * from final
