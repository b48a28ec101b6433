{#-
    The ten bins of each group, empty ones too: what a reliability diagram shows, and the moments that every score of the
    group is made of. share is the bin's part of the group's samples.
    rule: settle.calibration-report

    forecasts    relation: claims_table, shape, predicate, score, verdict, is_registered_late
    score        its column to look at
-#}
{% macro probability_bins(forecasts, score='score') -%}
    with
    filled as (
        select
            claims_table,
            shape,
            predicate,
            {{ bin_number(score) }} as bin_number,
            count(*) as samples,
            count(*) filter (verdict) as positives,
            count(*) filter (is_registered_late) as registered_late,
            {{ repeatable_mean(score) }} as mean_score,
            {{ repeatable_mean(score ~ ' * ' ~ score) }} as mean_square,
            {{ repeatable_mean('case when verdict then ' ~ score ~ ' else 0 end') }} as mean_product,
            {{ repeatable_mean('(' ~ score ~ ' - verdict::integer) ** 2') }} as brier,
            {{ repeatable_mean(log_loss(score, 'verdict')) }} as log_score
        from {{ forecasts }}
        group by claims_table, shape, predicate, bin_number
    ),

    bins as (
        select *
        from (select distinct claims_table, shape, predicate from filled)
        cross join (select unnest(range(10))::integer as bin_number)
    ),

    final as (
        select
            claims_table,
            shape,
            predicate,
            bin_number,
            bin_number / 10 as lower_edge,
            (bin_number + 1) / 10 as upper_edge,
            coalesce(filled.samples, 0) as samples,
            coalesce(filled.positives, 0) as positives,
            coalesce(filled.registered_late, 0) as registered_late,
            coalesce(filled.samples / sum(filled.samples) over (partition by claims_table, shape, predicate), 0) as share,
            filled.mean_score,
            filled.positives / filled.samples as frequency,
            {{ wilson_bound('filled.positives', 'filled.samples', '-') }} as frequency_low,
            {{ wilson_bound('filled.positives', 'filled.samples', '+') }} as frequency_high,
            filled.brier,
            filled.log_score,
            filled.mean_square - filled.mean_score ** 2 as score_variance,
            filled.mean_product - filled.mean_score * frequency as covariance
        from bins
        left join filled using (claims_table, shape, predicate, bin_number)
    )

    select * from final
{%- endmacro %}
