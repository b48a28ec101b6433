with

training as (
    select * from {{ ref('scored_forecasts') }} where not is_held_out
),

final as (
    {{ isotonic_blocks('training') | indent(4) }}
)

select * from final
