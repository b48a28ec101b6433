{#-
    What a table holds: the newest version of every key (claim_id, valid_from) that is not retracted, with the expiry
    that applies and the key's arrival, its first version since it was last reopened. Few columns, for the window;
    version_id leads back to the rest. Arrivals are one integer each, so that claims compare and join by one column.

    versions    claims already cut by the bounds, with a version_id
    closures    closures already cut by the bounds
-#}
{% macro held_claims(versions, closures) -%}
    {%- set kept = [
        'version_id', 'claim_id', 'subject', 'predicate', '"object"', '"scope"', 'tier', 'valid_from', 'valid_to', 'is_hidden'
    ] -%}
    with
    commits as (
        select _ingested_at, _run_id, row_number() over (order by _ingested_at asc, _run_id asc) as commit_number
        from (
            select _ingested_at, _run_id from {{ versions }}
            union all
            select _ingested_at, _run_id from {{ closures }}
        )
        group by _ingested_at, _run_id
    ),

    ordered_versions as (
        {{ in_commit_order(kept, versions, 'commits') | indent(8) }}
    ),

    ordered_closures as (
        {{ in_commit_order(['claim_id', 'valid_from', 'closed_at'], closures, 'commits') | indent(8) }}
    ),

    keys as (
        select claim_id, valid_from, min(commit_order) as first_order, max(commit_order) as newest_order
        from ordered_versions
        group by claim_id, valid_from
    ),

    closed_keys as (
        {{ closed_keys('keys', 'ordered_versions', 'ordered_closures') | indent(8) }}
    ),

    final as (
        select
            versions.* exclude (commit_order),
            coalesce(closed_keys.arrival, keys.first_order) as arrival,
            closed_keys.closed_at as expired_at
        from keys
        inner join ordered_versions as versions on keys.newest_order = versions.commit_order
        left join closed_keys on keys.claim_id = closed_keys.claim_id and keys.valid_from = closed_keys.valid_from
        where closed_keys.is_retracted is distinct from true
    )

    select * from final
{%- endmacro %}
