{{ config(parameters=['p_table', 'p_claim_id']) }}
with

subjects as (
    select subject
    from {{ session_relation('all_memory_facts') }}
    where _table = p_table::varchar and claim_id = p_claim_id::varchar
    limit 1
),

of_claim as materialized (
    select *
    from {{ ref('claim_windows') }}(p_table, (select subject from subjects))
    where claim_id = p_claim_id::varchar
),

-- All of them, also those that the gate does not look at.
stored as (
    select
        arrival as item,
        valid_from,
        generate_subscripts(evidence, 1) as ordinal,
        unnest(evidence) as citation
    from of_claim
),

citations as materialized (
    {{ citations_of('of_claim', 'arrival') | indent(4) }}
),

found as materialized (
    {{ cited_rows('citations') | indent(4) }}
),

keyed as materialized (
    select * from found where row_key is not null
),

replaced as (
    select distinct item, ordinal from ({{ later_versions_of('keyed') | indent(4) }})
),

gone as materialized (
    select citations.*
    from citations
    anti join found on citations.item = found.item and citations.ordinal = found.ordinal
    where citations.key_digest is not null
),

by_digest as (
    select distinct item, ordinal from ({{ rows_by_digest('gone') | indent(4) }})
),

final as (
    select
        {{ instant_text('stored.valid_from') }} as valid_from,
        stored.citation."table" as "table",
        stored.citation.run as run,
        stored.citation.seq as seq,
        stored.citation.key_digest is not null as has_digest,
        case
            when by_digest.item is not null then 'stale: the row is gone, its key is live'
            when replaced.item is not null then 'stale: a later version of its key replaced the row'
            when found.item is not null then 'resolves'
            when not coalesce({{ session_relation('is_citable') }}(stored.citation."table"), false)
                then 'unresolved: no declared source table'
            else 'unresolved: no such row'
        end as verdict
    from stored
    left join found on stored.item = found.item and stored.ordinal = found.ordinal
    left join replaced on stored.item = replaced.item and stored.ordinal = replaced.ordinal
    left join by_digest on stored.item = by_digest.item and stored.ordinal = by_digest.ordinal
    order by stored.valid_from asc, stored.citation."table" asc, stored.citation.run asc, stored.citation.seq asc
)

select * from final
