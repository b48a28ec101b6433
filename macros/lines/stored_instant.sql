{#-
    A stored instant from its text: RFC 3339 with an offset, whole µs, years 0001 to 9999 in UTC; null for any other text.
    DuckDB's cast alone would cut digits past the sixth and take 24:00, so the form is checked first.

    zone    SQL expression: reads a text without an offset; null refuses it
-#}
{% macro stored_instant(text, zone=none) -%}
    {%- set day_and_time = '[0-9]{4}-(0[1-9]|1[0-2])-[0-9]{2}[Tt ]([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9](\\.[0-9]{1,6}0*)?' -%}
    {%- set offset = '([Zz]|[+-]([01][0-9]|2[0-3]):[0-5][0-9])' -%}
    case
        when starts_with({{ text }}, '0000') then null
        when
            regexp_full_match({{ text }}, '{{ day_and_time }}{{ offset }}')
            and try_cast(upper({{ text }}) as timestamptz)
            between timestamptz '0001-01-01 00:00:00+00' and timestamptz '9999-12-31 23:59:59.999999+00'
            then try_cast(upper({{ text }}) as timestamptz)
        {%- if zone is not none %}
        when
            {{ zone }} is not null and regexp_full_match({{ text }}, '{{ day_and_time }}')
            and timezone({{ zone }}, try_cast(upper({{ text }}) as timestamp))
            between timestamptz '0001-01-01 00:00:00+00' and timestamptz '9999-12-31 23:59:59.999999+00'
            then timezone({{ zone }}, try_cast(upper({{ text }}) as timestamp))
        {%- endif %}
    end
{%- endmacro %}
