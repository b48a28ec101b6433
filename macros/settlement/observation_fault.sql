{#-
    The first thing wrong with the form of a parsed observation, as a sentence; null for a sound one. What it must agree on
    with its registration is checked later.

    available_column    SQL expression: one more key, where the table declares an available time
-#}
{% macro observation_fault(members, available_column) -%}
    case
        {{ object_faults(members, available_column) | indent(8) }}
        when prediction_id_kind is null then 'the observation lacks `prediction_id`'
        {{ text_faults('prediction_id') | indent(8) }}
        when coalesce(observed_at_kind, 'NULL') = 'NULL' then 'the observation lacks `observed_at`'
        when verdict_kind not in ('BOOLEAN', 'NULL') then '`verdict` must be true or false'
        {% for field in ('resolution_source', 'signal', 'settling_citation', 'metric') -%}
        {{ text_faults(field, optional=true) | indent(8) }}
        {% endfor -%}
        when
            value_kind <> 'NULL'
            and (value_kind not in ('UBIGINT', 'BIGINT', 'DOUBLE') or not coalesce(isfinite("value"), false))
            then '`value` must be a finite JSON number'
        when signal = 'annulled' and verdict is not null
            then 'an annulled prediction has no verdict: leave out `verdict`, or the signal'
    end
{%- endmacro %}
