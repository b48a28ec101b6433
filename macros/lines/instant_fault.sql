{#- The first instant of a parsed line that cannot be stored, as a sentence; null where all can. -#}
{% macro instant_fault(available_column) -%}
    case
        {% for field, kind, text, value in (
            ("'observed_at'", 'observed_at_kind', 'observed_text', 'observed_at'),
            ("'valid_until'", 'valid_until_kind', 'until_text', 'valid_until'),
            (available_column, 'available_kind', 'available_text', 'available_at'),
        ) -%}
        when {{ kind }} not in ('VARCHAR', 'NULL') then {{ field }} || ' must be a string'
        when {{ kind }} = 'VARCHAR' and regexp_full_match({{ text }}, '[0-9]{4}-[0-9]{2}-[0-9]{2}')
            then
                {{ field }} || ' `' || {{ text }} || '`: a date alone is no instant; write the time and the offset, as '
                || {{ text }} || 'T00:00:00Z'
        when {{ kind }} = 'VARCHAR' and {{ value }} is null
            then
                {{ field }} || ' `' || {{ quoted_name(text) }} || '`: write RFC 3339 with an offset and at most six '
                || 'fractional digits, years 0001 to 9999, such as 2026-01-31T09:30:00Z'
        {% endfor -%}
    end
{%- endmacro %}
