{#-
    What a table holds: the newest version of every key (claim_id, valid_from) that is not retracted, with the expiry that
    applies and the key's arrival. Few columns, for the window; version_id leads back to the rest.

    A closure applies to versions of its key committed before it, and the newest closure counts; a later version reopens
    the key. Arrival: the first version since then, as one integer, so that claims compare, sort and join by one column.

    versions    claims already cut by the bounds, with a version_id
    closures    closures already cut by the bounds
-#}
{% macro held_claims(versions, closures) -%}
    with
    -- One number for each commit; a row's order is that and its place in the commit's run, below 2^32.
    commits as (
        select _ingested_at, _run_id, row_number() over (order by _ingested_at asc, _run_id asc) << 32 as first_order,
        from (select _ingested_at, _run_id from {{ versions }} union select _ingested_at, _run_id from {{ closures }})
    ),

    ordered_versions as (
        select
            versions.version_id,
            versions.claim_id,
            versions.subject,
            versions.predicate,
            versions."object",
            versions."scope",
            versions.tier,
            versions.valid_from,
            versions.valid_to,
            commits.first_order + versions._row_seq as commit_order,
        from {{ versions }} as versions
        inner join commits using (_ingested_at, _run_id)
    ),

    ordered_closures as (
        select
            closures.claim_id,
            closures.valid_from,
            closures.closed_at,
            commits.first_order + closures._row_seq as commit_order,
        from {{ closures }} as closures
        inner join commits using (_ingested_at, _run_id)
    ),

    keys as (
        select claim_id, valid_from, min(commit_order) as first_order, max(commit_order) as newest_order,
        from ordered_versions
        group by claim_id, valid_from
    ),

    -- Keys with closures: before the newest version the last one reopened the key, after it the last one closes it.
    -- arg_max_null, since arg_max passes over the null that says retracted.
    closings as (
        select
            claim_id,
            valid_from,
            max(closures.commit_order) filter (closures.commit_order < keys.newest_order) as reopened_after,
            count(*) filter (closures.commit_order > keys.newest_order) > 0 as is_closed,
            arg_max_null(closures.closed_at, closures.commit_order)
                filter (closures.commit_order > keys.newest_order)
            as closed_at,
        from keys
        inner join ordered_closures as closures using (claim_id, valid_from)
        group by claim_id, valid_from
    ),

    closed_keys as (
        select
            claim_id,
            valid_from,
            closings.is_closed and closings.closed_at is null as is_retracted,
            closings.closed_at,
            min(versions.commit_order) as arrival,
        from closings
        inner join ordered_versions as versions using (claim_id, valid_from)
        where closings.reopened_after is null or versions.commit_order > closings.reopened_after
        group by all
    ),

    final as (
        select
            versions.* exclude (commit_order),
            coalesce(closed_keys.arrival, keys.first_order) as arrival,
            closed_keys.closed_at as expired_at,
        from keys
        inner join ordered_versions as versions on keys.newest_order = versions.commit_order
        left join closed_keys on keys.claim_id = closed_keys.claim_id and keys.valid_from = closed_keys.valid_from
        where closed_keys.is_retracted is distinct from true
    )

    select * from final
{%- endmacro %}
