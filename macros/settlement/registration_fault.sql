{#-
    The first thing wrong with the form of a parsed registration, as a sentence; null for a sound one. Types are exact, as
    in claims. `watch: false` and null count as left out.
    rule: settle.registration

    available_column    SQL expression: one more key, where the table declares an available time
-#}
{% macro registration_fault(members, available_column) -%}
    {%- set forms %}(coalesce(horizon_secs_kind, 'NULL') <> 'NULL')::integer
            + (coalesce(deadline_at_kind, 'NULL') <> 'NULL')::integer + coalesce(watch, false)::integer{% endset -%}
    case
        {{ object_faults(members, available_column) | indent(8) }}
        {% for field in ('prediction_id', 'subject') -%}
        when {{ field }}_kind is null then 'the registration lacks `{{ field }}`'
        {{ text_faults(field) | indent(8) }}
        {% endfor -%}
        when coalesce(predicted_at_kind, 'NULL') = 'NULL' then 'the registration lacks `predicted_at`'
        when
            horizon_secs_kind <> 'NULL'
            and (horizon_secs_kind not in ('UBIGINT', 'BIGINT') or coalesce(horizon_secs < 0, true))
            then '`horizon_secs` must be a whole number of seconds, 0 or more'
        when watch_kind not in ('BOOLEAN', 'NULL') then '`watch` must be true or false'
        when {{ forms }} <> 1
            then
                'a prediction has one form: `horizon_secs`, `deadline_at` or `watch: true`; this one has '
                || case when {{ forms }} = 0 then 'none' else 'several' end
        when resolution_source_kind is null then 'the registration lacks `resolution_source`'
        when
            resolution_source_kind <> 'VARCHAR'
            or not list_contains({{ resolution_sources() }}, resolution_source)
            then '`resolution_source` must be one of ' || array_to_string({{ resolution_sources() }}, ', ')
        {{ text_faults('comparator', optional=true) | indent(8) }}
        when resolution_source = 'metric' and comparator is null
            then 'a metric prediction needs a `comparator`, such as ">= 3.5"'
        when resolution_source <> 'metric' and comparator is not null
            then 'a `comparator` goes with the source metric alone; leave it out'
        when not {{ is_comparator('comparator') | indent(8) }}
            then '`comparator` must be one of < <= > >= = !=, a blank and a number, such as ">= 3.5"'
        {{ text_faults('statement', optional=true) | indent(8) }}
        when metric_kind not in ('VARCHAR', 'NULL') then '`metric` must be a string'
    end
{%- endmacro %}
