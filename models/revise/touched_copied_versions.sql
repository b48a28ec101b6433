{{ config(parameters=['p_table']) }}
with

copied as (
    select * from {{ pending_relation('copied') }} where _table = p_table::varchar
),

tail as (
    select * from {{ pending_relation('tail') }}
),

final as (
    {{ touched('copied') | indent(4) }}
    union all
    {{ touched('tail') | indent(4) }}
)

select * from final
