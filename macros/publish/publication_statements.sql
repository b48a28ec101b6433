{#- The statements that bring the attached `publication` up to the build: landed rows, source lines, derived tables, facts. -#}
{% macro publication_statements() -%}
    {%- set statements = ['create schema if not exists publication.landing', 'create schema if not exists publication.contextful'] -%}
    {%- set copied = copied_tables() -%}
    {%- set landed = landed_tables() -%}
    {%- for name in copied if name not in landed -%}
        {%- do statements.append('drop table publication.landing."' ~ name ~ '"') -%}
    {%- endfor -%}
    {%- for name, columns in landed.items() -%}
        {%- if name in copied and copied[name].columns == columns -%}
            {%- do statements.append(
                'insert into publication.landing."' ~ name ~ '" from session."' ~ name
                ~ '" where _ingested_at > make_timestamp_ns(' ~ copied[name].stamp ~ ')'
            ) -%}
        {%- else -%}
            {%- do statements.extend(published_table('session', name, 'landing')) -%}
        {%- endif -%}
    {%- endfor -%}
    {%- do statements.extend(derived_tables()) -%}
    {%- do statements.append(
        "create or replace table publication.contextful.build as "
        ~ "select stamp, version() as duckdb_version from contextful.build"
    ) -%}
    {#- A table whose key was declared otherwise since is not read from the copy: its lines hold the old key. -#}
    {%- do statements.append('create or replace table publication.contextful.declared_tables as from session.declared_tables') -%}
    {{- return(statements) -}}
{%- endmacro %}

{#- What is to be landed in the copy: each session view of landed rows with its columns and types, in order. -#}
{% macro landed_tables() -%}
    {%- set found = run_query(
        "select table_name, string_agg(column_name || ' ' || data_type, ', ' order by column_index)
         from duckdb_columns()
         where database_name = current_database() and schema_name = 'session'
         and table_name in (select view_name from duckdb_views() where schema_name = 'session')
         and table_name not like 'all\\_%' escape '\\'
         and table_name not in ('declared_tables', 'copied_versions', 'later_versions', 'source_rows', 'hidden_versions')
         group by table_name order by table_name"
    ) -%}
    {%- set tables = {} -%}
    {%- for row in found.rows -%}
        {%- do tables.update({row[0]: row[1]}) -%}
    {%- endfor -%}
    {{- return(tables) -}}
{%- endmacro %}

{#-
    What stands in the publication from the copy that it began as: each table's columns, and the stamp up to which its rows
    are there. None where nothing was copied, or where the copy's declarations differ: source lines hold the old keys then.
-#}
{% macro copied_tables() -%}
    {%- set tables = {} -%}
    {%- if run_query("select 1 from duckdb_tables() where database_name = 'publication' limit 1").rows | length -%}
        {%- set is_declared_alike = run_query(
            'select count(*) = 0 from (
                (select _table, shape, key from session.declared_tables
                except all select _table, shape, key from publication.contextful.declared_tables)
                union all
                (select _table, shape, key from publication.contextful.declared_tables
                except all select _table, shape, key from session.declared_tables)
            )'
        ).columns[0].values()[0] -%}
        {%- set stamp = run_query('select stamp from publication.contextful.build').columns[0].values()[0] -%}
        {%- set found = run_query(
            "select table_name, string_agg(column_name || ' ' || data_type, ', ' order by column_index)
             from duckdb_columns() where database_name = 'publication' and schema_name = 'landing' group by table_name"
        ) -%}
        {%- for row in found.rows -%}
            {%- set columns = row[1] if is_declared_alike or row[0] != 'source_versions' else none -%}
            {%- do tables.update({row[0]: {'columns': columns, 'stamp': stamp}}) -%}
        {%- endfor -%}
    {%- endif -%}
    {{- return(tables) -}}
{%- endmacro %}

{#- Statements that put every table that dbt derived into the publication, in place of what the copy had. -#}
{% macro derived_tables() -%}
    {%- set statements = [] -%}
    {%- set schemas = run_query(
        "select distinct schema_name from duckdb_tables() where database_name = 'publication'
         and schema_name not in ('landing', 'contextful')"
    ).columns[0].values() | list -%}
    {%- for schema in schemas -%}
        {%- do statements.append('drop schema publication."' ~ schema ~ '" cascade') -%}
    {%- endfor -%}
    {%- for node in graph.nodes.values() if node.resource_type in ('model', 'seed') -%}
        {%- set built = adapter.get_relation(node.database, node.schema, node.alias) -%}
        {%- if node.config.materialized in ('table', 'incremental', 'seed') and built is not none -%}
            {%- do statements.append('create schema if not exists publication."' ~ node.schema ~ '"') -%}
            {%- do statements.extend(published_table(node.schema, node.alias, node.schema)) -%}
        {%- endif -%}
    {%- endfor -%}
    {{- return(statements) -}}
{%- endmacro %}
