{#-
    A stored deadline from its text: an instant as stored_instant reads it, or a day, which still counts whole and so means
    the next midnight UTC; null for any other text, the last day of the year 9999 included, which has no next midnight.
    rule: settle.deadline-date
-#}
{% macro stored_deadline(text) -%}
    case
        when not regexp_full_match({{ text }}, '[0-9]{4}-[0-9]{2}-[0-9]{2}') then {{ stored_instant(text) | indent(8) }}
        when try_cast({{ text }} as date) between date '0001-01-01' and date '9999-12-30'
            then timezone('UTC', (try_cast({{ text }} as date) + 1)::timestamp)
    end
{%- endmacro %}
