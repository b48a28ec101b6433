{{ config(parameters=['p_table := null', 'p_ceiling := 10000']) }}
with

-- One beyond the ceiling is how an answer knows that there is more.
letters as materialized (
    select *, row_number() over () as item
    from {{ session_relation('all_letters') }}
    where p_table is null or _table = p_table::varchar
    order by _ingested_at desc, _table asc, letter_id asc
    limit p_ceiling::bigint + 1
),

citations as materialized (
    {{ citations_of('letters', 'item') | indent(4) }}
),

readable as (
    select item, count(*) as citations
    from ({{ cited_rows('citations') | indent(4) }})
    group by item
),

-- What a letter quotes came from the rows it cites: it is for those who may read all of them.
told as (
    select
        letters.*,
        coalesce(readable.citations, 0) = coalesce(len(letters.evidence), 0) and not letters.is_partial as is_told
    from letters
    left join readable on letters.item = readable.item
),

final as (
    select
        _table,
        letter_id,
        stage,
        reason,
        case when is_told then detail end as detail,
        case when is_told then response end as response,
        template_hash,
        -- A table that the caller may not read is not named.
        list_filter(
            evidence, lambda citation: coalesce({{ session_relation('is_citable') }}(citation."table"), false)
        ) as evidence,
        {{ instant_text('_ingested_at') }} as _ingested_at
    from told
    order by told._ingested_at desc, _table asc, letter_id asc
)

select * from final
