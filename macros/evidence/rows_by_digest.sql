{#-
    What stands for cited rows that are gone: for each citation the first version of the key whose digest it keeps, as its
    place in the order of commits. Every key is digested for it, so that nothing but the pepper links the two.

    gone    citations (as citations_of gives them) whose row is not there
-#}
{% macro rows_by_digest(gone) -%}
    select gone.item, gone.ordinal, min(digested._ingested_at) as _ingested_at, 0 as _row_seq
    from (
        select _table, _ingested_at, {{ key_digest('_table', 'row_key') }} as key_digest
        from {{ session_relation('source_versions') }}
        where row_key is not null
    ) as digested
    -- rule: recall.evidence-key
    inner join {{ gone }} as gone on digested._table = gone."table" and digested.key_digest = gone.key_digest
    group by gone.item, gone.ordinal
{%- endmacro %}
