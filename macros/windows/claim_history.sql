{#-
    Every version of a table's claims with its fate: live, superseded, expired, retracted, or replaced by a later
    version of its key before any closure. The window speaks of newest versions only.

    table, subject, as_of, available_as_of    SQL expressions as for claim_windows
-#}
{% macro claim_history(table, subject='null', as_of='null', available_as_of='null') -%}
    with
    versions as materialized (
        {{ bounded_versions(table, subject, as_of, available_as_of) | indent(8) }}
    ),

    closures as (
        {{ bounded_closures(table, 'versions', as_of) | indent(8) }}
    ),

    windows as (
        {{ claim_windows(table, subject, as_of, available_as_of) | indent(8) }}
    ),

    events as (
        select claim_id, valid_from, _ingested_at, _run_id, _row_seq, version_id, null as closed_at, null as reason
        from versions
        union all by name
        select claim_id, valid_from, _ingested_at, _run_id, _row_seq, null as version_id, closed_at, reason
        from closures
    ),

    -- A closure counts with the version that it follows.
    numbered as (
        select
            *,
            count(version_id) over key_so_far as version_number,
            count(version_id) over (partition by claim_id, valid_from) as versions_of_key
        from events
        window key_so_far as (
            partition by claim_id, valid_from
            order by _ingested_at asc, _run_id asc, _row_seq asc, version_id asc
            rows between unbounded preceding and current row
        )
    ),

    closings as (
        select *
        from numbered
        where version_id is null
        qualify
            row_number() over (
                partition by claim_id, valid_from, version_number
                order by _ingested_at desc, _run_id desc, _row_seq desc
            ) = 1
    ),

    final as (
        select
            versions.* exclude (version_id, valid_to, superseded_by),
            numbered.version_number,
            case
                when closings.claim_id is not null and closings.closed_at is null then 'retracted'
                when windows.superseded_by is not null then 'superseded'
                when closings.claim_id is not null then 'expired'
                when numbered.version_number < numbered.versions_of_key then 'replaced'
                else 'live'
            end as fate,
            versions.valid_to as asserted_valid_to,
            windows.valid_to,
            windows.superseded_by,
            closings.closed_at,
            closings.reason as closure_reason
        from versions
        inner join numbered on versions.version_id = numbered.version_id
        left join closings
            on
                numbered.claim_id = closings.claim_id
                and numbered.valid_from = closings.valid_from
                and numbered.version_number = closings.version_number
        left join windows
            on
                numbered.claim_id = windows.claim_id
                and numbered.valid_from = windows.valid_from
                and numbered.version_number = numbered.versions_of_key
    )

    select * from final
{%- endmacro %}
