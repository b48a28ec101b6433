with

held_out as (
    select * from {{ ref('scored_forecasts') }} where is_held_out
),

blocks as (
    select * from {{ ref('calibration_maps') }}
),

bins as (
    select * from {{ ref('calibration_bins') }}
),

mapped as materialized (
    {{ mapped_scores('held_out', 'blocks') | indent(4) }}
),

held_out_scores as (
    {{ held_out_scores('mapped') | indent(4) }}
),

mapped_bins as (
    {{ probability_bins('mapped', 'mapped_score') | indent(4) }}
),

scores as (
    {{ probability_scores('bins') | indent(4) }}
),

final as (
    {{ calibration_scores('scores', 'held_out_scores', 'mapped_bins') | indent(4) }}
)

select * from final
