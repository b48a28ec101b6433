{{ config(parameters=['p_table']) }}
with

stored as (
    select * from {{ session_relation('all_memory_facts') }} where _table = p_table::varchar
),

final as (
    {{ touched('stored') | indent(4) }}
)

select * from final
