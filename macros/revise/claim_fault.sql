{#-
    The first thing wrong with the form of a parsed line (models/revise/parsed_lines), as a sentence; null for a sound one.
    Types are exact: a number given as a string, NaN, a key twice and a key that means nothing all refuse.

    available_column    SQL expression: one more key of the claim, where the table declares an available time
-#}
{% macro claim_fault(available_column) -%}
    case
        when line_kind is null then 'it is not JSON in UTF-8 of at most 16 MiB'
        when line_kind <> 'OBJECT' then 'it is not a JSON object'
        {{ key_faults(
            'line_keys', "['claim', 'observed_at', 'valid_until', 'dedup_key']",
            ['claim_kind', 'observed_at_kind', 'valid_until_kind', 'dedup_key_kind']
        ) }}
        when claim_kind is null or claim_kind <> 'OBJECT' then '`claim` must be an object'
        {{ key_faults(
            'claim_keys',
            "list_append(['subject', 'predicate', 'object', 'scope', 'confidence', 'evidence'], " ~ available_column ~ ")",
            ['subject_kind', 'predicate_kind', 'object_kind', 'scope_kind', 'confidence_kind', 'evidence_kind', 'available_kind']
        ) }}
        {% for field in ('subject', 'predicate', 'object') -%}
        when {{ field }}_kind is null then 'the claim lacks `{{ field }}`'
        {{ text_faults(field) }}
        {% endfor -%}
        {{ text_faults('scope', optional=true) }}
        when confidence_kind is null then 'the claim lacks `confidence`'
        when
            confidence_kind not in ('UBIGINT', 'BIGINT', 'DOUBLE')
            or coalesce(not isfinite(confidence) or confidence not between 0 and 1, true)
            then '`confidence` must be a JSON number from 0 to 1'
        when evidence_kind is null then 'the claim lacks `evidence`; a claim that rests on nothing gives an empty list'
        when evidence_kind <> 'ARRAY' then '`evidence` must be a list of {table, run, seq}'
        {{ citation_faults() }}
        when dedup_key_kind not in ('VARCHAR', 'NULL') then '`dedup_key` must be a string'
        when dedup_key = '' then 'a dedup key must not be empty'
        when contains(dedup_key, chr(0)) then 'a dedup key must not hold NUL'
    end
{%- endmacro %}
