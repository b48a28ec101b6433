{#- Whether an outcome belongs to a report's window over observed_at, both ends inclusive, null for open. -#}
{% macro is_observed_within(since, until) -%}
    (
        ({{ since }}::timestamptz is null or observed_at >= {{ since }}::timestamptz)
        and ({{ until }}::timestamptz is null or observed_at <= {{ until }}::timestamptz)
    )
{%- endmacro %}
