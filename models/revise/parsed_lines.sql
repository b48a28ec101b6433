{{ config(parameters=['p_available_column := null']) }}
{%- set fields = [
    'claim', 'observed_at', 'valid_until', 'dedup_key',
    'claim.subject', 'claim.predicate', 'claim.object', 'claim.scope', 'claim.confidence', 'claim.evidence',
] %}

with

-- A blank line, as at the end of a file, is no line.
documents as (
    select
        line_number,
        case when {{ is_json_document('line') }} then line::json end as document
    from {{ pending_relation('raw') }}
    where line is not null and not {{ is_blank('line') }}
),

-- Exact JSON types and all keys, doubled ones included: the cast below turns 5 into '5' and forgets a doubled key.
looked_at as (
    select
        line_number,
        document,
        json_type(document) as line_kind,
        json_keys(document) as line_keys,
        json_keys(document, '$.claim') as claim_keys,
        json_type(
            document,
            ['$.{{ fields | join("', '$.") }}']
        ) as kinds,
        json_keys(document, '$.claim.evidence[*]') as citation_keys,
        json_type(document, '$.claim.evidence[*].table') as table_kinds,
        json_type(document, '$.claim.evidence[*].run') as run_kinds,
        json_type(document, '$.claim.evidence[*].seq') as seq_kinds
    from documents
),

final as (
    select
        line_number,
        line_kind,
        line_keys,
        claim_keys,
        {%- for field in fields %}
            kinds[{{ loop.index }}] as {{ field.split('.') | last }}_kind,
        {%- endfor %}
        citation_keys,
        list_distinct(list_concat(table_kinds, run_kinds)) as citation_text_kinds,
        list_distinct(seq_kinds) as seq_kinds,
        least(len(table_kinds), len(run_kinds), len(seq_kinds)) as whole_citations,
        case when p_available_column is not null then json_type(document, '$.claim."' || p_available_column || '"') end
            as available_kind,
        case when p_available_column is not null then document ->> ('$.claim."' || p_available_column || '"') end
            as available_at,
        from_json(
            document,
            '{
                "claim": {
                    "subject": "VARCHAR", "predicate": "VARCHAR", "object": "VARCHAR", "scope": "VARCHAR",
                    "confidence": "DOUBLE", "evidence": [{"table": "VARCHAR", "run": "VARCHAR", "seq": "BIGINT"}]
                },
                "observed_at": "VARCHAR", "valid_until": "VARCHAR", "dedup_key": "VARCHAR"
            }'
        ) as given
    from looked_at
)

select * from final
