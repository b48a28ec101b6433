with

registrations as (
    select *
    from {{ session_relation('all_predictions') }}
    where _table = 'forecast_predictions'
),

games as (
    select
        *,
        format('{}_games:{}', league, game) as metric
    from {{ ref('forecast_games') }}
),

final as (
    select
        registrations.prediction_id,
        (games.played_on + interval 1 day)::timestamptz as observed_at,
        -- Nobody wins a tie: the prediction is annulled, and labels nothing.
        case
            when games.prob1_outcome <> 0.5
                then {{ metric_verdict('registrations.comparator', 'games.prob1_outcome') }}
        end as verdict,
        case when games.prob1_outcome = 0.5 then 'annulled' end as signal,
        registrations.resolution_source,
        registrations.metric,
        games.prob1_outcome as value
    from registrations
    inner join games on registrations.metric = games.metric
    where games.prob1_outcome is not null
)

select * from final
