{#-
    Where a block of the isotonic fit may begin, as points of each group's cumulative sum diagram (forecasts so far, of
    them come true), and the diagram's end. Forecasts in order of score, equal ones true before false.

    A block cannot begin but where an outcome that came true follows one that did not; and since of equal scores the true
    ones come first, these are pooled already.

    forecasts    relation: group_number, score, verdict
-#}
{% macro isotonic_corners(forecasts) -%}
    with
    placed as (
        select
            group_number,
            score,
            verdict::integer as outcome,
            row_number() over line - 1 as forecasts_before,
            coalesce(sum(verdict::integer) over so_far, 0)::bigint as positives_before,
            lag(verdict::integer) over line as outcome_before
        from {{ forecasts }}
        window
            line as (partition by group_number order by score asc, verdict desc),
            so_far as (
                partition by group_number
                order by score asc, verdict desc
                rows between unbounded preceding and 1 preceding
            )
    ),

    final as (
        select group_number, score as lowest_score, forecasts_before, positives_before
        from placed
        where outcome_before is null or outcome_before < outcome
        union all
        select group_number, null as lowest_score, count(*) as forecasts_before, sum(outcome)::bigint as positives_before
        from placed
        group by group_number
    )

    select * from final
{%- endmacro %}
