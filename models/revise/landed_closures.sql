{{ config(parameters=[]) }}
with

closures as (
    select * from {{ pending_relation('closures') }}
),

this_commit as (
    select * from {{ pending_relation('this_commit') }}
),

final as (
    select closures.*, this_commit.author as _authored_by
    from closures
    inner join this_commit on closures._run_id = this_commit.run
)

select * from final
