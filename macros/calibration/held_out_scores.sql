{#-
    What each group's map does for the forecasts it was not fitted on: their Brier score raw and mapped. Only a map that
    lowers it strictly is validated, and only a validated one is ever served. A group without held-out rows has no row.
    rule: settle.calibration-report, synthesize.confidence-calibration

    mapped    relation: the held-out forecasts with their mapped_score
-#}
{% macro held_out_scores(mapped) -%}
    select
        claims_table,
        shape,
        predicate,
        count(*) as held_out,
        {{ repeatable_mean('(score - verdict::integer) ** 2') }} as raw_brier,
        {{ repeatable_mean('(mapped_score - verdict::integer) ** 2') }} as mapped_brier,
        mapped_brier < raw_brier as is_validated
    from {{ mapped }}
    group by claims_table, shape, predicate
{%- endmacro %}
