{#-
    The keys that were ever closed: whether the newest closure applies, and the arrival since the key was last reopened.

    A closure applies to versions of its key committed before it, and the newest closure counts; a later version reopens
    the key and counts as a new arrival.
    rule: revise.retention-default

    keys                  relation: claim_id, valid_from, newest_order
    versions, closures    relations: claim_id, valid_from, commit_order; closures also closed_at
-#}
{% macro closed_keys(keys, versions, closures) -%}
    with
    -- arg_max would pass over the null that says retracted.
    closings as (
        select
            claim_id,
            valid_from,
            max(closures.commit_order) filter (closures.commit_order < keys.newest_order) as reopened_after,
            count(*) filter (closures.commit_order > keys.newest_order) > 0 as is_closed,
            arg_max_null(closures.closed_at, closures.commit_order)
                filter (closures.commit_order > keys.newest_order)
            as closed_at
        from {{ keys }} as keys
        inner join {{ closures }} as closures using (claim_id, valid_from)
        group by claim_id, valid_from
    ),

    final as (
        select
            claim_id,
            valid_from,
            closings.is_closed and closings.closed_at is null as is_retracted,
            closings.closed_at,
            min(versions.commit_order) as arrival
        from closings
        inner join {{ versions }} as versions using (claim_id, valid_from)
        where closings.reopened_after is null or versions.commit_order > closings.reopened_after
        group by all
    )

    select * from final
{%- endmacro %}
