{{ config(parameters=[]) }}
with

cited as (
    select * from {{ pending_relation('cited') }}
),

found as materialized (
    {{ cited_rows('cited') | indent(4) }}
),

replaced as (
    {{ later_versions_of('found') | indent(4) }}
),

final as (
    select
        found.item as line_number,
        found.ordinal,
        found.row_key,
        exists (
            select 1 from replaced where replaced.item = found.item and replaced.ordinal = found.ordinal
        ) as is_replaced,
    from found
)

select * from final
