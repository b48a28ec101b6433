{{ config(parameters=['p_table', 'p_x := null']) }}
select count(*) as n from {{ session_relation('all_memory_facts') }} where _table = p_table::varchar
