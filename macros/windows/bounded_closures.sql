{#-
    The closures of a table's claims that a read's bound admits, of the claims among the given versions only: a point
    read finds them by claim_id, whatever else was closed.
-#}
{% macro bounded_closures(table, versions, as_of) -%}
    select *
    from {{ session_relation('all_closures') }}
    where
        _table = {{ table }}::varchar
        and claim_id in (select claim_id from {{ versions }})
        and {{ is_committed(as_of, beside='_row_seq') }}
{%- endmacro %}
