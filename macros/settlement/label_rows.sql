{#-
    The label view: the observations that label their prediction, as judged_predictions gives them. One without a verdict
    (an annulled prediction) shows and labels nothing.

    judged    relation
-#}
{% macro label_rows(judged) -%}
    select
        outcomes_table,
        prediction_id,
        subject,
        resolution_source,
        verdict,
        signal,
        -- rule: settle.settling-citation
        settling_citation,
        lead_time_s
    from {{ judged }}
    where observed_at is not null and unlabelled_because is null
{%- endmacro %}
