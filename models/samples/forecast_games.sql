with

nba_games as (
    {{ newest_version(session_relation('nba_games', declared=true), ['date', 'team1', 'team2']) }}
),

nfl_games as (
    {{ newest_version(session_relation('nfl_games', declared=true), ['date', 'team1', 'team2']) }}
),

games as (
    select *, 'nba' as league, {{ citation('nba_games') }} as citation
    from nba_games
    union all
    select *, 'nfl' as league, {{ citation('nfl_games') }} as citation
    from nfl_games
),

final as (
    select
        league,
        date as played_on,
        format('{} {} v {}', date, team1, team2) as game,
        team1,
        team2,
        prob1,
        prob1_outcome,
        citation
    from games
)

select * from final
