{#-
    A group in one row: its scores, and what its map does for the held-out forecasts (null without any).
    mapped_ece is the expected calibration error of the held-out forecasts as mapped, null unless the map is validated.

    scores         relation: probability_scores
    held_out       relation: held_out_scores
    mapped_bins    relation: probability_bins of the held-out forecasts' mapped_score
-#}
{% macro calibration_scores(scores, held_out, mapped_bins) -%}
    with
    mapped_errors as (
        select claims_table, shape, predicate, {{ expected_calibration_error('bins') }} as ece
        from {{ mapped_bins }} as bins
        group by claims_table, shape, predicate
    ),

    final as (
        select
            scores.*,
            coalesce(held_out.held_out, 0) as held_out,
            held_out.raw_brier,
            held_out.mapped_brier,
            coalesce(held_out.is_validated, false) as is_validated,
            case when held_out.is_validated then mapped_errors.ece end as mapped_ece
        from {{ scores }} as scores
        left join {{ held_out }} as held_out using (claims_table, shape, predicate)
        left join mapped_errors using (claims_table, shape, predicate)
    )

    select * from final
{%- endmacro %}
