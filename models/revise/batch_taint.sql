{{ config(parameters=['p_rows']) }}
with

batch as (
    select unnest(p_rows::struct("table" varchar, run varchar, seq bigint)[], recursive := true)
),

source_rows as (
    select * from {{ session_relation('source_rows') }}
),

-- The least trusted of them; a row that is not there is trusted least.
final as (
    select
        case max({{ distrust('source_rows._taint') }})
            when 1 then 'operator'
            when 2 then 'ingested:first-party'
            when 3 then 'ingested:third-party'
        end as taint
    from batch
    left join source_rows
        on
            batch."table" = source_rows._table
            and batch.run = source_rows._run_id
            and batch.seq = source_rows._row_seq
)

select * from final
