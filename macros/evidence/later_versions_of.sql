{#-
    The later versions of cited rows' keys: item, ordinal, and the later version's place in the order of commits.

    keyed_rows   relation as cited_rows gives it, rows of keyed tables only
-#}
{% macro later_versions_of(keyed_rows) -%}
    {#- rule: recall.evidence-stale -#}
    {%- set is_later -%}
        row(versions._ingested_at, versions._run_id, versions._row_seq)
        > row(keyed_rows._ingested_at, keyed_rows._run_id, keyed_rows._row_seq)
    {%- endset -%}
    select keyed_rows.item, keyed_rows.ordinal, versions._ingested_at, versions._row_seq
    from {{ session_relation('copied_versions') }} as versions
    inner join {{ keyed_rows }} as keyed_rows
        on
            versions.key_hash = keyed_rows.key_hash
            and row(versions._table, versions.row_key) = row(keyed_rows._table, keyed_rows.row_key)
            and {{ is_later }}
    union all
    select keyed_rows.item, keyed_rows.ordinal, versions._ingested_at, versions._row_seq
    from {{ session_relation('later_versions') }} as versions
    inner join {{ keyed_rows }} as keyed_rows
        on
            versions._table = keyed_rows._table
            and versions.row_key = keyed_rows.row_key
            and {{ is_later }}
    -- Says the same as the join, and drops the tables without a key before they are read.
    where versions.row_key is not null
{%- endmacro %}
