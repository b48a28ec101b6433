{{ config(parameters=['p_table := null', 'p_ceiling := 10000']) }}
with

-- One beyond the ceiling is how an answer knows that there is more.
final as (
    select
        _table,
        letter_id,
        stage,
        reason,
        detail,
        response,
        template_hash,
        evidence,
        {{ instant_text('_ingested_at') }} as _ingested_at
    from {{ session_relation('all_letters') }}
    where p_table is null or _table = p_table::varchar
    order by _ingested_at desc, _table asc, letter_id asc
    limit p_ceiling::bigint + 1
)

select * from final
