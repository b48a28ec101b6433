{#- The history of a claims table: every version that ever landed, with its fate, unbounded. -#}
{% macro memory_facts_history(table) -%}
    {%- do session_relation(table, declared=true) -%}
    with
    history as (
        {{ claim_history("'" ~ table ~ "'") | indent(8) }}
    ),

    final as (
        select
            claim_id,
            valid_from,
            version_number,
            subject,
            predicate,
            "object",
            "scope",
            tier,
            confidence,
            fate,
            valid_to,
            superseded_by,
            asserted_valid_to,
            closed_at,
            closure_reason,
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
        from history
    )

    select * from final
{%- endmacro %}
