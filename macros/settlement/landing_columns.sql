{#-
    What a landing line stores besides its members: since when it was available, where it did not say the commit's stamp;
    and how it was written.

    line, commit    aliases
-#}
{% macro landing_columns(line, commit) -%}
    coalesce({{ line }}.available_at, make_timestamp({{ commit }}.stamp)::timestamptz) as available_at,
    make_timestamp_ns({{ commit }}.stamp * 1000) as _ingested_at,
    {{ commit }}.run as _run_id,
    {{ line }}.line_number - 1 as _row_seq,
    {{ commit }}.author as _authored_by,
    {{ commit }}.taint as _taint
{%- endmacro %}
