{#- The versions of a table's claims that a read's bounds admit, numbered; subject null: every subject. -#}
{% macro bounded_versions(table, subject, as_of, available_as_of) -%}
    select *, row_number() over () as version_id
    from {{ session_relation('all_memory_facts') }}
    where
        _table = {{ table }}::varchar
        and ({{ subject }}::varchar is null or subject = {{ subject }}::varchar)
        and {{ is_committed(as_of, available_as_of, beside='_row_seq') }}
{%- endmacro %}
