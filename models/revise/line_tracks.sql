{{ config(parameters=[]) }}
with

lines as (
    select distinct subject, predicate, "scope"
    from {{ pending_relation('lines') }}
    where identifier is null
),

final as (
    select row_number() over () as track, subject, predicate, "scope"
    from lines
)

select * from final
