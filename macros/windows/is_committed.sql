{#-
    Whether a row counts under a read's bounds, both inclusive, null for unbounded. It comes before the newest version
    is chosen: a later row must change nothing before it, and an earlier vintage must stay readable.

    rule: declare.availability

    as_of            up to this `_ingested_at`
    available_as_of  up to this available_at, in tables that declare one; only for relations that carry it
    beside           a bigint column that keeps the bounds out of the table scan: DuckDB takes an index only for a
                     column that the scan filters alone, and compares a pair above it
-#}
{% macro is_committed(as_of, available_as_of=none, beside=none) -%}
    ({{ as_of }}::timestamp_ns is null or {{ is_up_to('_ingested_at', as_of ~ '::timestamp_ns', beside) }})
    {%- if available_as_of is not none %}
    and (
        {{ available_as_of }}::timestamptz is null
        or not has_availability
        or {{ is_up_to('available_at', available_as_of ~ '::timestamptz', beside) }}
    )
    {%- endif %}
{%- endmacro %}

{#- One column against one bound, for is_committed. -#}
{% macro is_up_to(column, bound, beside) -%}
    {%- if beside is none -%}
    {{ column }} <= {{ bound }}
    {%- else -%}
    ({{ column }}, {{ beside }}) <= ({{ bound }}, 9223372036854775807)
    {%- endif -%}
{%- endmacro %}
