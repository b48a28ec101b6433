{#-
    The gate: each item with `withheld`, why it may not be served (null: it may), and is_stale.

    Every citation must resolve: its row is there within the bound, or, that row gone, a row of the key whose digest it
    keeps. It is stale where a later version has replaced its row within the bound, or only the digest resolved.

    items   relation with a column `evidence`
    item    its column that tells its rows apart
    as_of   SQL expression: the bound on commits, inclusive, null for none
    by_digest   whether to look for keys by digest. Rows are seldom gone, so a read asks for it only where one seems to be.
-#}
{% macro evidence_gate(items, item, as_of='null', by_digest=true) -%}
    with
    citations as materialized (
        {{ citations_of(items, item) | indent(8) }}
    ),

    found as materialized (
        {{ cited_rows('citations') | indent(8) }}
    ),

    keyed as materialized (
        select * from found where row_key is not null
    ),

    {% if by_digest -%}
    -- A row that is there and hidden from the caller is not gone, whatever became of its key.
    gone as materialized (
        select * from citations
        where
            key_digest is not null
            and (item, ordinal) not in (select (item, ordinal) from found)
            and ("table", run, seq) not in (
                select (_table, _run_id, _row_seq) from {{ session_relation('hidden_versions') }}
            )
    ),

    {% endif -%}
    resolutions as (
        select item, _ingested_at, _row_seq, true as is_row, false as is_stale from found
        union all
        select item, _ingested_at, _row_seq, false as is_row, true as is_stale
        from ({{ later_versions_of('keyed') | indent(8) }})
        {%- if by_digest %}
        union all
        select item, _ingested_at, _row_seq, true as is_row, true as is_stale
        from ({{ rows_by_digest('gone') | indent(8) }})
        {%- endif %}
    ),

    -- The bound comes after the look-ups: as a filter of theirs it would cost them the index.
    resolved as (
        select item, count(*) filter (is_row) as citations, bool_or(is_stale) as is_stale
        from resolutions
        where {{ is_committed(as_of) }}
        group by item
    ),

    final as (
        select
            items.*,
            -- rule: recall.keyed-gate, recall.evidence-unresolved
            case
                when len(items.evidence) > {{ max_citations() }} then 'MemoryEvidenceOverflow'
                when resolved.citations = len(items.evidence) then null
                else 'MemoryEvidenceUnresolved'
            end as withheld,
            coalesce(resolved.is_stale, false) as is_stale
        from {{ items }} as items
        left join resolved on items.{{ item }} = resolved.item
    )

    select * from final
{%- endmacro %}
