{#-
    Branches of claim_fault for the claim's evidence: each citation is {table, run, seq}; a key_digest is ignored.
    Keys are looked at one by one only where they are not the usual three: a CASE, for AND would look at all.
-#}
{% macro citation_faults() -%}
    when
        whole_citations < len(citation_keys)
        or not list_has_all(['VARCHAR'], citation_text_kinds)
        or not list_has_all(['UBIGINT', 'BIGINT'], seq_kinds)
        or list_bool_or(list_transform(
            evidence,
            lambda c: c.seq is null or {{ is_blank('c."table"') }} or {{ is_blank('c.run') }}
            or contains(c."table", chr(0)) or contains(c.run, chr(0))
        ))
        then 'each citation must be {table, run, seq}: two non-blank strings without NUL and a whole number'
    when
        case
            when list_distinct(citation_keys) = [['table', 'run', 'seq']] then false
            else list_bool_or(list_transform(
                citation_keys,
                lambda k: len(list_distinct(k)) < len(k) or not list_has_all(['table', 'run', 'seq', 'key_digest'], k)
            ))
        end
        then 'a citation has the keys table, run and seq, each once, and no other'
{%- endmacro %}
