{#-
    An answer of keyed recall with the confidences that its predicates' maps give them: a score takes the value of the last
    step whose lowest score does not exceed it, below the first step that step's. A claim without a validated map stays as
    it was said, and is labelled so.
    rule: recall.confidence-label, synthesize.confidence-calibration

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

steps as (
    select
        predicate,
        "value",
        -- The first step reaches down to 0.
        case when row_number() over (partition by predicate order by lowest_score asc) = 1 then 0 else lowest_score end
            as lowest_score
    from {{ session_relation('fitted_maps') }}
    where shape = 'memory_facts'
),

final as (
    select
        claims.* replace (
            coalesce(steps."value", claims.confidence) as confidence,
            case when steps."value" is null then 'uncalibrated' else 'calibrated' end as confidence_label
        )
    from claims
    asof left join steps on claims.predicate = steps.predicate and claims.confidence >= steps.lowest_score
    order by claims."position" asc
)

select * from final
{%- endmacro %}
