{#-
    What the table holds: the newest version of every key (claim_id, valid_from) that is not retracted, with the expiry
    that applies and the key's arrival.

    A closure applies to versions committed before it and the newest closure counts; a later version reopens the key.
    Arrival: the first version since the key's last reopening, as one integer, so that claims compare by one number.

    versions, closures    relations already cut by the bounds
-#}
{% macro held_claims(versions, closures) -%}
    with
    -- Commits in order, numbered: with the row's place in its run this gives the order of rows as one integer.
    commits as (
        select
            _ingested_at,
            _run_id,
            row_number() over (order by _ingested_at asc, _run_id asc) * 4294967296 as commit_number,
        from (
            select _ingested_at, _run_id from {{ versions }}
            union
            select _ingested_at, _run_id from {{ closures }}
        )
    ),

    ordered_versions as (
        select versions.*, commits.commit_number + versions._row_seq as commit_order,
        from {{ versions }} as versions
        inner join commits using (_ingested_at, _run_id)
    ),

    ordered_closures as (
        select closures.*, commits.commit_number + closures._row_seq as commit_order,
        from {{ closures }} as closures
        inner join commits using (_ingested_at, _run_id)
    ),

    keys as (
        select claim_id, valid_from, min(commit_order) as first_order, max(commit_order) as newest_order,
        from ordered_versions
        group by claim_id, valid_from
    ),

    -- arg_max would skip the null that says retracted.
    closed_keys as (
        select
            keys.claim_id,
            keys.valid_from,
            max(closures.commit_order) filter (closures.commit_order < keys.newest_order) as reopened_after,
            count(*) filter (closures.commit_order > keys.newest_order) > 0 as is_closed,
            arg_max_null(closures.closed_at, closures.commit_order)
                filter (closures.commit_order > keys.newest_order) as closed_at,
        from keys
        inner join ordered_closures as closures
            on keys.claim_id = closures.claim_id and keys.valid_from = closures.valid_from
        group by keys.claim_id, keys.valid_from
    ),

    reopened_keys as (
        select closed_keys.claim_id, closed_keys.valid_from, min(versions.commit_order) as arrival,
        from closed_keys
        inner join ordered_versions as versions
            on closed_keys.claim_id = versions.claim_id and closed_keys.valid_from = versions.valid_from
        where versions.commit_order > closed_keys.reopened_after
        group by closed_keys.claim_id, closed_keys.valid_from
    ),

    final as (
        select
            versions.* exclude (commit_order),
            coalesce(reopened_keys.arrival, keys.first_order) as arrival,
            closed_keys.closed_at as expired_at,
        from keys
        inner join ordered_versions as versions on keys.newest_order = versions.commit_order
        left join closed_keys on keys.claim_id = closed_keys.claim_id and keys.valid_from = closed_keys.valid_from
        left join reopened_keys on keys.claim_id = reopened_keys.claim_id and keys.valid_from = reopened_keys.valid_from
        where not (coalesce(closed_keys.is_closed, false) and closed_keys.closed_at is null)
    )

    select * from final
{%- endmacro %}
