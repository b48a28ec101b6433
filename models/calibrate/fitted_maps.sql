{{ config(parameters=['p_table', 'p_as_of := null', 'p_available_as_of := null']) }}
with

judged as (
    {{ judged_predictions('(' ~ labels_of('p_table') ~ ')', 'p_as_of', 'p_available_as_of') | indent(4) }}
),

joined as (
    {{ joined_forecasts('judged', 'p_table', 'p_as_of', 'p_available_as_of') | indent(4) }}
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

mapped as (
    {{ mapped_scores('held_out', 'blocks') | indent(4) }}
),

validated as (
    select * from ({{ held_out_scores('mapped') | indent(4) }}) where is_validated
),

final as (
    select
        blocks.shape,
        blocks.predicate,
        blocks.lowest_score,
        blocks."value"
    from blocks
    inner join validated on blocks.shape = validated.shape and blocks.predicate = validated.predicate
)

select * from final
