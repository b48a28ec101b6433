with

judged as (
    select * from {{ ref('judged_predictions') }}
),

final as (
    {{ label_rows('judged') | indent(4) }}
)

select * from final
