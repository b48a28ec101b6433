{{ config(parameters=[
    'p_table', 'p_since := null', 'p_until := null', 'p_now := null', 'p_as_of := null', 'p_available_as_of := null'
]) }}
with

judged as materialized (
    {{ judged_predictions('(' ~ labels_of('p_table') ~ ')', 'p_as_of', 'p_available_as_of', 'p_now') | indent(4) }}
),

joined as materialized (
    {{ joined_forecasts('judged', 'p_table', 'p_as_of', 'p_available_as_of', 'p_since', 'p_until') | indent(4) }}
),

forecasts as materialized (
    {{ scored_forecasts('joined') | indent(4) }}
),

training as (
    select * from forecasts where not is_held_out
),

held_out as (
    select * from forecasts where is_held_out
),

blocks as materialized (
    {{ isotonic_blocks('training') | indent(4) }}
),

mapped as materialized (
    {{ mapped_scores('held_out', 'blocks') | indent(4) }}
),

held_out_scores as (
    {{ held_out_scores('mapped') | indent(4) }}
),

bins as materialized (
    {{ probability_bins('forecasts') | indent(4) }}
),

mapped_bins as (
    {{ probability_bins('mapped', 'mapped_score') | indent(4) }}
),

scores as (
    {{ probability_scores('bins') | indent(4) }}
),

scored_groups as (
    select * exclude (claims_table)
    from ({{ calibration_scores('scores', 'held_out_scores', 'mapped_bins') | indent(4) }})
),

bin_lists as (
    select
        predicate,
        list(
            struct_pack(
                lower_edge, upper_edge, samples, positives, mean_score, frequency, frequency_low, frequency_high
            )
            order by bin_number asc
        ) as bins
    from bins
    group by predicate
),

block_lists as (
    select
        predicate,
        list(struct_pack(lowest_score, "value", samples) order by block_number asc) as map
    from blocks
    group by predicate
),

states as (
    {{ prediction_states('judged', 'p_since', 'p_until') | indent(4) }}
),

counts as (
    select
        coalesce(max(settled), 0) as settled,
        coalesce(max("open"), 0) as "open",
        coalesce(max(overdue), 0) as overdue,
        coalesce(max(annulled), 0) as annulled,
        coalesce(max(unlabelled), 0) as unlabelled,
        (select count(*) from joined) as joined
    from states
),

-- The counts stand in every row, and in one by themselves where there is no group.
final as (
    select
        counts.*,
        scored_groups.*,
        bin_lists.bins,
        block_lists.map
    from counts
    left join scored_groups on true
    left join bin_lists on scored_groups.predicate = bin_lists.predicate
    left join block_lists on scored_groups.predicate = block_lists.predicate
    order by scored_groups.shape asc, scored_groups.predicate asc
)

select * from final
