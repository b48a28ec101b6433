{#- Schemas are named as the folders say, without dbt's default prefix: `memory.congress_claims`. -#}
{% macro generate_schema_name(custom_schema_name, node) -%}
    {{ custom_schema_name or target.schema }}
{%- endmacro %}
