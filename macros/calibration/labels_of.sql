{#- The outcomes table that a claims table declares as its labels, as a query; an empty text where it declares none. -#}
{% macro labels_of(table) -%}
    select coalesce(max(labels), '') from {{ session_relation('declared_tables') }} where _table = {{ table }}::varchar
{%- endmacro %}
