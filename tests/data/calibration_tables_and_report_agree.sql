-- A row is a group whose scores, bins or map differ between the batch tables and the report, once as each gives it.
{{ config(meta={'rule': 'settle.calibration-report'}) }}
with

bin_lists as (
    select
        predicate,
        list(
            struct_pack(
                lower_edge, upper_edge, samples, positives, mean_score, frequency, frequency_low, frequency_high
            )
            order by bin_number asc
        ) as bins
    from {{ ref('calibration_bins') }}
    where claims_table = 'forecast_claims'
    group by predicate
),

block_lists as (
    select
        predicate,
        list(struct_pack(lowest_score, "value", samples) order by block_number asc) as blocks
    from {{ ref('calibration_maps') }}
    where claims_table = 'forecast_claims'
    group by predicate
),

scored_groups as (
    select * exclude (claims_table)
    from {{ ref('calibration_groups') }}
    where claims_table = 'forecast_claims'
),

batch as (
    select
        scored_groups.*,
        bin_lists.bins,
        block_lists.blocks
    from scored_groups
    inner join bin_lists on scored_groups.predicate = bin_lists.predicate
    inner join block_lists on scored_groups.predicate = block_lists.predicate
),

report as (
    select
        * exclude (settled, "open", overdue, annulled, unlabelled, joined, bins, map),
        bins,
        map as blocks
    from {{ ref('calibration_report') }}('forecast_claims')
    where predicate is not null
),

final as (
    select 'batch' as read_as, *
    from (select * from batch except select * from report)
    union all
    select 'report' as read_as, *
    from (select * from report except select * from batch)
)

select * from final
