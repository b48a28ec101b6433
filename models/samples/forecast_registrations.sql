with

-- The prediction is the claim: it has the claim's id, and calibration finds the claim by it.
claims as (
    select distinct claim_id, subject, predicate, "object"
    from {{ session_relation('all_memory_facts') }}
    where _table = 'forecast_claims'
),

games as (
    select * from {{ ref('forecast_games') }}
),

final as (
    select
        claims.claim_id as prediction_id,
        claims.subject,
        games.played_on::timestamptz as predicted_at,
        -- A day alone is a deadline at its end.
        games.played_on as deadline_at,
        'metric' as resolution_source,
        '>= 1' as comparator,
        format('{} beat {} on {}', games.team1, games.team2, games.played_on) as statement,
        format('{}_games:{}', games.league, games.game) as metric
    from claims
    inner join games
        on
            claims.subject = games.game
            and claims.predicate = games.league || '_winner'
            and claims."object" = games.team1
)

select * from final
