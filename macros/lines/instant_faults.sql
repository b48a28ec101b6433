{#-
    Branches of a line's fault for a member that holds a stored instant.

    field               SQL expression: the member's name, for the sentence
    kind, text, value   SQL expressions: its JSON type, its text, and what stored_instant made of that
    takes_days          whether a date alone is one of its forms
-#}
{% macro instant_faults(field, kind, text, value, takes_days=false) -%}
    when {{ kind }} not in ('VARCHAR', 'NULL') then {{ field }} || ' must be a string'
    {% if not takes_days -%}
    when {{ kind }} = 'VARCHAR' and regexp_full_match({{ text }}, '[0-9]{4}-[0-9]{2}-[0-9]{2}')
        then
            {{ field }} || ' `' || {{ text }} || '`: a date alone is no instant; write the time and the offset, as '
            || {{ text }} || 'T00:00:00Z'
    {% endif -%}
    when {{ kind }} = 'VARCHAR' and {{ value }} is null
        then
            {{ field }} || ' `' || {{ quoted_name(text) }} || '`: write RFC 3339 with an offset and at most six '
            || 'fractional digits, years 0001 to 9999, such as 2026-01-31T09:30:00Z'
            {%- if takes_days %} || ', or a day, which means its end in UTC, such as 2026-01-31'{% endif %}
{%- endmacro %}
