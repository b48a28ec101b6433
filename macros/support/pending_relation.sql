{#- The name of a table of the `pending` schema, where a write's lines stand while they are decided. -#}
{% macro pending_relation(name) -%}
    {{ api.Relation.create(database=target.database, schema='pending', identifier=name) }}
{%- endmacro %}
