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
        case when {{ is_json_document('line') }} then line end as document
    from {{ pending_relation('raw') }}
    where line is not null and not {{ is_blank('line') }}
),

-- Exact JSON types and all keys, doubled ones included: the cast below turns 5 into '5' and forgets a doubled key.
looked_at as (
    select
        line_number,
        document,
        json_keys(document, ['$', '$.claim']) as keys,
        json_type(
            document,
            ['$', '$.{{ fields | join("', '$.") }}']
        ) as kinds,
        json_extract(document, '$.claim.evidence')::varchar as evidence_text
    from documents
),

final as (
    select
        line_number,
        keys[1] as line_keys,
        keys[2] as claim_keys,
        kinds[1] as line_kind,
        {%- for field in fields %}
            kinds[{{ loop.index + 1 }}] as {{ field.split('.') | last }}_kind,
        {%- endfor %}
        evidence_text,
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
