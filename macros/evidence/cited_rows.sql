{#-
    The landed rows that citations name: item, ordinal, and the row's line in source_versions.
    Two joins, for the two halves are looked up differently: see session.source_versions. All citations of all claims go
    through them at once (rule: recall.keyed-evidence-batch).

    citations   relation as citations_of gives it
-#}
{% macro cited_rows(citations) -%}
    select citations.item, citations.ordinal, versions.* exclude (ref_hash)
    from {{ session_relation('copied_versions') }} as versions
    inner join {{ citations }} as citations
        on
            versions.ref_hash = citations.ref_hash
            and row(versions._table, versions._run_id, versions._row_seq)
            = row(citations."table", citations.run, citations.seq)
    union all by name
    select citations.item, citations.ordinal, versions.* exclude (ref_hash)
    from {{ session_relation('later_versions') }} as versions
    inner join {{ citations }} as citations
        on
            versions._table = citations."table"
            and versions._run_id = citations.run
            and versions._row_seq = citations.seq
{%- endmacro %}
