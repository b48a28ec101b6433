{#-
    How many predictions of a declared pair stand where; what is settled in the sense of judged_predictions has a label.

    judged    relation: judged_predictions
-#}
{% macro prediction_states(judged) -%}
    select
        outcomes_table,
        {%- for state in ('settled', 'open', 'overdue', 'annulled', 'unlabelled') %}
        count(*) filter (state = '{{ state }}') as "{{ state }}"{{ ',' if not loop.last }}
        {%- endfor %}
    from {{ judged }}
    group by outcomes_table
{%- endmacro %}
