{#-
    Branch of claim_fault for the claim's evidence: each citation is {table, run, seq}; a key_digest is ignored.

    Where the citations written back give the text they were read from, their keys are the usual three and every type is
    exact; only others are taken apart. By CASE, which stops where AND would not.
-#}
{% macro citation_faults() -%}
    when
        case
            when evidence_text = to_json(evidence)::varchar then false
            else list_bool_or(list_transform(json_extract(evidence_text, '$[*]'), lambda c: {{ is_no_citation('c') }}))
        end
        or list_bool_or(list_transform(
            evidence,
            lambda c: c."table" is null or c.run is null or c.seq is null
            or {{ is_blank('c."table"') }} or {{ is_blank('c.run') }}
            or contains(c."table", chr(0)) or contains(c.run, chr(0))
        ))
        then
            'each citation must be {table, run, seq}: two non-blank strings without NUL and a whole number, '
            || 'each key once and no other'
{%- endmacro %}
