with

judged as (
    select * from {{ ref('judged_predictions') }}
),

joined as (
    {{ joined_forecasts('judged') | indent(4) }}
),

final as (
    {{ scored_forecasts('joined') | indent(4) }}
)

select * from final
