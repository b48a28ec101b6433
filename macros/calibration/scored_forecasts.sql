{#-
    The forecasts that take part in a report, every fifth of each group held out from the fit by the order of its ids:
    a split that anyone can repeat and that no later forecast of another group moves.
    rule: settle.calibration-report, synthesize.confidence-calibration

    joined    relation: joined_forecasts
-#}
{% macro scored_forecasts(joined) -%}
    select
        *,
        row_number() over (partition by claims_table, predicate order by prediction_id asc) - 1 as fold,
        fold % 5 = 4 as is_held_out
    from {{ joined }}
    -- NaN is above every number: it does not take part either.
    where score between 0 and 1
{%- endmacro %}
