{#-
    An answer of keyed recall with each confidence as its predicate's map gives it. A claim without a validated map stays
    as it was said, and is labelled so.
    rule: recall.confidence-label

    recalled    the table function whose answer it is; parameters are those of recall_claims
-#}
{% macro calibrated_claims(recalled) -%}
with

claims as (
    select *
    from {{ recalled }}(
        p_table, p_subject, p_observed_at, p_as_of, p_available_as_of, p_scope, p_predicate, p_ceiling
    )
),

maps as (
    select * from {{ session_relation('fitted_maps') }} where shape = 'memory_facts'
),

mapped as (
    {{ mapped_scores('claims', 'maps', keys=('predicate',), score='confidence') | indent(4) }}
),

final as (
    select
        * exclude (mapped_score) replace (
            coalesce(mapped_score, confidence) as confidence,
            case when mapped_score is null then 'uncalibrated' else 'calibrated' end as confidence_label
        )
    from mapped
    order by "position" asc
)

select * from final
{%- endmacro %}
