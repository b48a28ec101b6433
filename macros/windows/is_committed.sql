{#-
    Whether a row counts under a read's bounds, both inclusive, null for unbounded. It comes before the newest version is
    chosen: a later row must change nothing before it, and an earlier vintage must stay readable.

    as_of            up to this `_ingested_at`
    available_as_of  up to this available_at, in tables that declare one; only for relations that carry it
-#}
{% macro is_committed(as_of, available_as_of=none) -%}
    ({{ as_of }}::timestamp_ns is null or _ingested_at <= {{ as_of }}::timestamp_ns)
    {%- if available_as_of is not none %}
    and (
        {{ available_as_of }}::timestamptz is null
        or not has_availability
        or available_at <= {{ available_as_of }}::timestamptz
    )
    {%- endif %}
{%- endmacro %}
