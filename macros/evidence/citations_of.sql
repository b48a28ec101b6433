{#-
    The citations of some claims or edges, one a row: item, ordinal (1-based), table, run, seq, key_digest, ref_hash.

    Lists beyond the gate's bound give none: they are withheld unread. A citation of anything but a source table that the
    caller reads whole gives none either, so that it never resolves: an unknown or ungranted table, one with a masked
    column, and a memory table, which is no evidence.

    items   relation with a column `evidence`
    item    its column that tells its rows apart
-#}
{% macro citations_of(items, item) -%}
    select
        item,
        ordinal,
        citation.*,
        hash(citation."table", citation.run, citation.seq) as ref_hash
    from (
        select
            {{ item }} as item,
            generate_subscripts(evidence, 1) as ordinal,
            unnest(evidence) as citation
        from {{ items }}
        where len(evidence) <= {{ max_citations() }}
    )
    -- rule: recall.evidence-unresolved
    where {{ session_relation('is_citable') }}(citation."table")
{%- endmacro %}
