{{ config(parameters=['p_table', 'p_claim_id']) }}
with

subjects as (
    select subject
    from {{ session_relation('all_memory_facts') }}
    where _table = p_table::varchar and claim_id = p_claim_id::varchar
    limit 1
),

history as (
    {{ claim_history('p_table', '(select subject from subjects)') | indent(4) }}
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
        {{ instant_text('valid_from') }} as valid_from,
        {{ instant_text('asserted_valid_to') }} as asserted_valid_to,
        version_number,
        fate,
        {{ instant_text('closed_at') }} as closed_at,
        closure_reason,
        evidence,
        grant_id,
        agent,
        {{ instant_text('_ingested_at') }} as _ingested_at,
        _run_id,
        _row_seq
    from history
    where claim_id = p_claim_id::varchar
    order by history.valid_from asc, version_number asc
)

select * from final
