with

games as (
    select * from {{ ref('forecast_games') }}
),

final as (
    select
        game as subject,
        league || '_winner' as predicate,
        team1 as object,
        null::varchar as scope,
        prob1 as confidence,
        [citation] as evidence,
        played_on::timestamptz as observed_at,
        null::timestamptz as valid_until,
        null::varchar as dedup_key
    from games
)

select * from final
