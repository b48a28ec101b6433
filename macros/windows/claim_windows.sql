{#-
    The claims of a table, each with its window: bounds, newest version per key, then the window over every claim of the
    line. Row filters and masks of a caller come after it, or hiding a successor would bring a replaced claim back.

    table, subject, as_of, available_as_of    SQL expressions; subject null: every subject
-#}
{% macro claim_windows(table, subject='null', as_of='null', available_as_of='null') -%}
    with
    -- Materialized: the number it gives must be one and the same wherever the versions are used.
    versions as materialized (
        {{ bounded_versions(table, subject, as_of, available_as_of) | indent(8) }}
    ),

    closures as (
        {{ bounded_closures(table, 'versions', as_of) | indent(8) }}
    ),

    held as (
        {{ held_claims('versions', 'closures') | indent(8) }}
    ),

    successors as (
        {{ supersession_window('held') | indent(8) }}
    ),

    final as (
        select
            versions._table,
            versions.claim_id,
            versions.subject,
            versions.predicate,
            versions."object",
            versions."scope",
            versions.tier,
            {{ tier_rank('versions.tier') }} as tier_rank,
            versions.confidence,
            versions.valid_from,
            -- An interval ends where the claim said, where it was expired, or where its successor starts.
            -- rule: revise.retention-default, revise.supersede
            least(versions.valid_to, held.expired_at, successor.valid_from) as valid_to,
            versions.valid_to as asserted_valid_to,
            held.expired_at,
            versions.valid_to is null as is_open,
            -- A hidden successor still ends the interval, and is not named.
            case when successor.is_hidden is not true then successor.claim_id end as superseded_by,
            successor.valid_from as superseded_by_valid_from,
            versions.evidence,
            versions.grant_id,
            versions.agent,
            versions.available_at,
            versions.has_availability,
            versions.is_hidden,
            held.arrival,
            versions._ingested_at,
            versions._run_id,
            versions._row_seq,
            versions._site_id,
            versions._batch_seq,
            versions._authored_by,
            versions._taint
        from held
        inner join versions on held.version_id = versions.version_id
        left join successors on held.arrival = successors.arrival
        left join held as successor on successors.successor = successor.arrival
    )

    select * from final
{%- endmacro %}
