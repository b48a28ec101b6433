{#-
    The scores of each group, from its bins.

    brier        mean squared error (G. W. Brier, 1950) = reliability - resolution + uncertainty + within_bin: A. H.
                 Murphy's decomposition (1973) and what bins hide of it, the variance of the forecasts within a bin less
                 twice their covariance with the outcomes (D. B. Stephenson and others, 2008)
    ece, mce     expected calibration error, and that of the worst bin
    sharpness    the variance of the forecasts: how far they dare to differ
    is_small     fewer than 30: the figures say little

    bins         relation: probability_bins
    rule: settle.calibration-report
-#}
{% macro probability_scores(bins) -%}
    with
    means as (
        select
            claims_table,
            shape,
            predicate,
            sum(samples)::bigint as samples,
            sum(positives) / sum(samples) as base_rate,
            {{ repeatable_sum('share * mean_score') }} as mean_score
        from {{ bins }}
        group by claims_table, shape, predicate
    ),

    final as (
        select
            claims_table,
            shape,
            predicate,
            means.samples,
            sum(bins.registered_late)::bigint as registered_late,
            means.base_rate,
            means.mean_score,
            {{ repeatable_sum('share * brier') }} as brier,
            {{ repeatable_sum('share * (bins.mean_score - frequency) ** 2') }} as reliability,
            {{ repeatable_sum('share * (frequency - means.base_rate) ** 2') }} as resolution,
            means.base_rate * (1 - means.base_rate) as uncertainty,
            {{ repeatable_sum('share * (score_variance - 2 * covariance)') }} as within_bin,
            {{ expected_calibration_error('bins') }} as ece,
            max(abs(bins.mean_score - frequency)) as mce,
            {{ repeatable_sum('share * log_score') }} as log_score,
            {{ repeatable_sum('share * (score_variance + (bins.mean_score - means.mean_score) ** 2)') }} as sharpness,
            means.samples < {{ small_group() }} as is_small
        from {{ bins }} as bins
        inner join means using (claims_table, shape, predicate)
        group by claims_table, shape, predicate, means.samples, means.base_rate, means.mean_score
    )

    select * from final
{%- endmacro %}
