{{ config(parameters=['p_table']) }}
with

saved as (
    select *
    from {{ session_relation('calibration_reports') }}
    where claims_table = p_table::varchar
),

newest as (
    {{ newest_version('saved', ['since', 'until']) | indent(4) }}
),

final as (
    select
        {{ instant_text('since') }} as since,
        {{ instant_text('until') }} as "until",
        {{ instant_text('_ingested_at') }} as saved_at,
        report
    from newest
    order by newest."until" asc, newest.since asc nulls first
)

select * from final
