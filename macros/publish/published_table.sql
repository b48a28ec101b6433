{#-
    One table of the copy, sorted and indexed by what point reads look up: subject, the ends of an edge, the key's first
    column (claim_id, entity_id …), the two hashes of the source lines. Rows without any of these stay in landing order,
    a model's in the order it gives them.
-#}
{% macro published_table(from_schema, name, into_schema) -%}
    {%- set columns = adapter.get_columns_in_relation(
        api.Relation.create(database=target.database, schema=from_schema, identifier=name)
    ) | map(attribute='name') | list -%}
    {%- set wanted = ['subject', 'source_id', 'target_id', 'claim_id', 'edge_id', 'entity_id', 'prediction_id', 'ref_hash', 'key_hash'] -%}
    {%- set indexed = [] -%}
    {%- for column in wanted if column in columns -%}
        {%- do indexed.append(column) -%}
    {%- endfor -%}
    {%- set target_name = 'publication."' ~ into_schema ~ '"."' ~ name ~ '"' -%}
    {%- set statements = [
        'create or replace table ' ~ target_name ~ ' as select * from "' ~ from_schema ~ '"."' ~ name ~ '"'
        ~ (' order by "' ~ indexed[0] ~ '"' if indexed and into_schema == 'landing' else '')
    ] -%}
    {%- for column in indexed if into_schema == 'landing' -%}
        {%- do statements.append('create index "' ~ name ~ '_' ~ column ~ '" on ' ~ target_name ~ ' ("' ~ column ~ '")') -%}
    {%- endfor -%}
    {{- return(statements) -}}
{%- endmacro %}
