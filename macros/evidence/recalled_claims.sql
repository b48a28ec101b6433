{#-
    Keyed recall, the body of recall_claims and recall_claims_by_digest: what held of one subject at one instant, as known
    at another, each claim through the gate.

    Gives the answer's counters and rows: the counters stand in every row, and in one by themselves (position null) where
    nothing is served. Parameters are those of the two functions.

    windows     the table function claim_windows
    by_digest   see evidence_gate
-#}
{% macro recalled_claims(windows, by_digest) -%}
with

windows as (
    select * from {{ windows }}(p_table, p_subject, p_as_of, p_available_as_of)
),

-- The caller's rights come after the window: hiding a successor would bring a replaced claim back to life.
visible as (
    select
        {%- for column in (
            'subject', 'predicate', 'object', 'scope', 'tier', 'confidence', 'valid_from', 'valid_to', 'grant_id', 'agent'
        ) %}
        {{ shown(column) }} as "{{ column }}",
        {%- endfor %}
        {{ shown_id('claim_id') }} as claim_id,
        case when not {{ is_masked('superseded_by') }} then {{ shown_id('superseded_by') }} end as superseded_by,
        case when not {{ is_masked('tier') }} then tier_rank end as tier_rank,
        evidence,
        arrival
    from windows
    where is_hidden is not true
),

-- What the caller asks for comes last: of a masked column nothing is found by its value.
candidates as materialized (
    select *
    -- rule: recall.keyed, recall.keyed-history
    from visible
    where
        subject = p_subject::varchar
        and valid_from <= p_observed_at::timestamptz
        and (valid_to is null or valid_to > p_observed_at::timestamptz)
        and not {{ is_masked('valid_to') }}
        and (p_scope is null or "scope" = p_scope::varchar)
        and (p_predicate is null or predicate = p_predicate::varchar)
),

gated as (
    {{ evidence_gate('candidates', 'arrival', 'p_as_of', by_digest) | indent(4) }}
),

-- Claims are checked in order, up to the one retained beyond the ceiling: it is how an answer knows that there is more.
-- Arrival orders those whose ids are masked.
-- rule: recall.keyed-order, recall.keyed-window
checked as (
    select
        *,
        count(*) filter (withheld is null)
            over (order by tier_rank desc, valid_from desc, claim_id asc, arrival asc)
        as retained
    from gated
    qualify retained <= p_ceiling::bigint or (retained = p_ceiling::bigint + 1 and withheld is null)
),

counters as (
    -- rule: recall.suppression-count
    select
        count(*) filter (withheld = 'MemoryEvidenceUnresolved') as suppressed_unresolved,
        count(*) filter (withheld = 'MemoryEvidenceOverflow') as suppressed_overflow,
        count(*) filter (is_stale and withheld is null and retained <= p_ceiling::bigint) as stale,
        coalesce(max(retained) > p_ceiling::bigint, false) as is_truncated,
        -- A row may be gone and its key still live: worth asking again, by digest.
        coalesce(bool_or(
            withheld = 'MemoryEvidenceUnresolved'
            and len(list_filter(evidence, lambda citation: citation.key_digest is not null)) > 0
        ), false) as has_unresolved_digest
    from checked
),

served as (
    select
        retained as "position",
        claim_id,
        subject,
        predicate,
        "object",
        "scope",
        tier,
        confidence,
        {{ instant_text('valid_from') }} as valid_from,
        {{ instant_text('valid_to') }} as valid_to,
        case when not {{ is_masked('evidence') }} then {{ served_evidence() }} end as evidence,
        superseded_by,
        grant_id,
        agent,
        'uncalibrated' as confidence_label,
        case
            when not {{ is_masked('evidence') }} then greatest(len(evidence) - {{ max_served_citations() }}, 0)
        end as evidence_omitted
    from checked
    where withheld is null and retained <= p_ceiling::bigint
),

final as (
    select counters.*, served.*
    from counters
    left join served on true
    order by served."position" asc
)

select * from final
{%- endmacro %}
