{{ config(parameters=[]) }}
with

versions as (
    select
        versions.*,
        -- One number stands for the whole line: the window compares it instead of three texts.
        versions.track as subject,
        0 as predicate,
        0 as version_id,
        -- A write is decided against all that is stored, whatever its caller may read of it.
        false as is_hidden
    from {{ pending_relation('versions') }} as versions
    inner join {{ pending_relation('open_tracks') }} as open_tracks on versions.track = open_tracks.track
),

closures as (
    select * from {{ pending_relation('closures') }}
),

held as (
    {{ held_claims('versions', 'closures') | indent(4) }}
),

successors as (
    {{ supersession_window('held') | indent(4) }}
),

windows as (
    select
        held.subject as track,
        held.*,
        least(held.valid_to, held.expired_at, successor.valid_from) as ends_at,
        successor.claim_id as superseded_by,
        successor.valid_from as superseded_from
    from held
    left join successors on held.arrival = successors.arrival
    left join held as successor on successors.successor = successor.arrival
),

unsuperseded as (
    select * from windows where superseded_by is null and "scope" is null
),

unresolved_pairs as (
    select distinct p.arrival
    from unsuperseded as p
    inner join unsuperseded as q on p.track = q.track and p.valid_from = q.valid_from
    where {{ is_collision_pair('p', 'q') }}
),

final as (
    select
        windows.track,
        windows.claim_id,
        windows."object",
        windows."scope",
        windows.tier,
        {{ tier_rank('windows.tier') }} as tier_rank,
        windows.valid_from,
        windows.ends_at as valid_to,
        windows.valid_to is null as is_open,
        windows.expired_at,
        windows.superseded_by,
        windows.superseded_from,
        unresolved_pairs.arrival is not null as is_in_unresolved_pair
    from windows
    left join unresolved_pairs on windows.arrival = unresolved_pairs.arrival
)

select * from final
