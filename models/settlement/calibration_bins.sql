with

forecasts as (
    select * from {{ ref('scored_forecasts') }}
),

final as (
    {{ probability_bins('forecasts') | indent(4) }}
)

select * from final
