{{ config(parameters=[]) }}
with

cited as (
    select * from {{ pending_relation('cited') }}
),

found as materialized (
    {{ cited_rows('cited') | indent(4) }}
),

replaced as (
    select distinct item, ordinal from ({{ later_versions_of('found') | indent(4) }})
),

final as (
    select
        found.item as line_number,
        found.ordinal,
        found.row_key,
        replaced.item is not null as is_replaced
    from found
    left join replaced on found.item = replaced.item and found.ordinal = replaced.ordinal
)

select * from final
