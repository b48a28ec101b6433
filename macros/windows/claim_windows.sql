{#-
    The claims of a table, each with its window: bounds, newest version per key, then the window over every claim of the
    line. Row filters and masks of a caller come after it, or hiding a successor would bring a replaced claim back.

    table, subject, as_of, available_as_of    SQL expressions; subject null: every subject
-#}
{% macro claim_windows(table, subject='null', as_of='null', available_as_of='null') -%}
    with
    versions as (
        select *,
        from {{ session_relation('all_memory_facts') }}
        where
            _table = {{ table }}::varchar
            and ({{ subject }}::varchar is null or subject = {{ subject }}::varchar)
            and {{ is_committed(as_of, available_as_of) }}
    ),

    closures as (
        select *,
        from {{ session_relation('all_closures') }}
        where _table = {{ table }}::varchar and {{ is_committed(as_of) }}
    ),

    held as (
        {{ held_claims('versions', 'closures') | indent(4) }}
    ),

    successors as (
        {{ supersession_window('held') | indent(4) }}
    ),

    final as (
        select
            held._table,
            held.claim_id,
            held.subject,
            held.predicate,
            held."object",
            held."scope",
            held.tier,
            {{ tier_rank('held.tier') }} as tier_rank,
            held.confidence,
            held.valid_from,
            -- An interval ends where the claim said, where it was expired, or where its successor starts.
            least(held.valid_to, held.expired_at, successor.valid_from) as valid_to,
            held.valid_to as asserted_valid_to,
            held.expired_at,
            held.valid_to is null as is_open,
            successor.claim_id as superseded_by,
            successor.valid_from as superseded_by_valid_from,
            held.evidence,
            held.grant_id,
            held.agent,
            held.available_at,
            held.has_availability,
            held.arrival,
            held._ingested_at,
            held._run_id,
            held._row_seq,
            held._site_id,
            held._batch_seq,
            held._authored_by,
            held._taint,
        from held
        left join successors on held.arrival = successors.arrival
        left join held as successor on successors.successor = successor.arrival
    )

    select * from final
{%- endmacro %}
