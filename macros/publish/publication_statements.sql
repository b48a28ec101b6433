{#- The statements that fill the attached `publication`: landed rows, the compact source lines, derived tables, build facts. -#}
{% macro publication_statements() -%}
    {%- set statements = ['create schema publication.landing', 'create schema publication.contextful'] -%}
    {%- set landed = run_query(
        "select view_name from duckdb_views() where database_name = current_database() and schema_name = 'session'
         and view_name not like 'all\\_%' escape '\\' and view_name not in
         ('declared_tables', 'copied_versions', 'later_versions')
         order by view_name"
    ).columns[0].values() -%}
    {%- for name in landed -%}
        {%- do statements.extend(published_table('session', name, 'landing')) -%}
    {%- endfor -%}
    {%- set schemas = [] -%}
    {%- for node in graph.nodes.values() if node.resource_type in ('model', 'seed') -%}
        {%- set built = adapter.get_relation(node.database, node.schema, node.alias) -%}
        {%- if node.config.materialized in ('table', 'incremental', 'seed') and built is not none -%}
            {%- if node.schema not in schemas -%}
                {%- do schemas.append(node.schema) -%}
                {%- do statements.append('create schema if not exists publication."' ~ node.schema ~ '"') -%}
            {%- endif -%}
            {%- do statements.extend(published_table(node.schema, node.alias, node.schema)) -%}
        {%- endif -%}
    {%- endfor -%}
    {%- do statements.append(
        "create table publication.contextful.build as select stamp, version() as duckdb_version from contextful.build"
    ) -%}
    {#- A table whose key was declared otherwise since is not read from the copy: its lines hold the old key. -#}
    {%- do statements.append('create table publication.contextful.declared_tables as from session.declared_tables') -%}
    {{- return(statements) -}}
{%- endmacro %}
