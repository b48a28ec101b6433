{{ config(parameters=['p_table']) }}
select n + 1 as m from {{ ref('probe') }}(p_table)
