{#-
    A claims table's model: every claim that is not retracted, as its newest version says it, with its window,
    unbounded.
-#}
{% macro memory_facts(table) -%}
    {%- do session_relation(table, declared=true) -%}
    with
    windows as (
        {{ claim_windows("'" ~ table ~ "'") | indent(8) }}
    ),

    final as (
        select
            claim_id,
            subject,
            predicate,
            "object",
            "scope",
            tier,
            confidence,
            valid_from,
            valid_to,
            superseded_by,
            asserted_valid_to,
            expired_at,
            evidence,
            grant_id,
            agent,
            _ingested_at,
            _run_id,
            _row_seq,
            _site_id,
            _batch_seq,
            _authored_by,
            _taint
        from windows
    )

    select * from final
{%- endmacro %}
