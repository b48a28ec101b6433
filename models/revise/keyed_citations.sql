{{ config(parameters=[]) }}
with

cited as (
    select
        line_number as item,
        generate_subscripts(evidence, 1) as ordinal,
        unnest(evidence) as citation
    from {{ pending_relation('lines') }}
    where identifier is null
),

keyed_tables as (
    select _table from {{ session_relation('declared_tables') }} where shape is null and len(key) > 0
),

final as (
    select
        cited.item,
        cited.ordinal,
        cited.citation."table",
        cited.citation.run,
        cited.citation.seq,
        hash(cited.citation."table", cited.citation.run, cited.citation.seq) as ref_hash
    from cited
    inner join keyed_tables on cited.citation."table" = keyed_tables._table
)

select * from final
