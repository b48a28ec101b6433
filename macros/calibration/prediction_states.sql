{#-
    How many predictions of a declared pair stand where. Those that are closed count where their observation is within the
    window; what is open or overdue is so now.

    judged          relation: judged_predictions
    since, until    bounds on observed_at, inclusive; null for none
-#}
{% macro prediction_states(judged, since='null', until='null') -%}
    select
        outcomes_table,
        {%- for state in ('settled', 'open', 'overdue', 'annulled', 'unlabelled') %}
        count(*) filter (state = '{{ state }}') as "{{ state }}"{{ ',' if not loop.last }}
        {%- endfor %}
    from {{ judged }}
    where
        state in ('open', 'overdue')
        or {{ is_observed_within(since, until) }}
    group by outcomes_table
{%- endmacro %}
