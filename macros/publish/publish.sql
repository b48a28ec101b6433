{#-
    On run end: a new read-only copy for readers, analysts and BI, written aside, closed, and only then made current.

    It holds the landed rows up to the build's stamp and what dbt derived, never a verdict or a right: windows, rights and
    gate run over it as over the lake. A run with a failed model or test publishes nothing; the old copy stays.
    It begins as the old copy's file, so that what landed before is neither sorted nor indexed anew.
-#}
{% macro publish() -%}
    {%- if execute and flags.WHICH in ('build', 'run') and not has_failures() -%}
        {%- set stamp = run_query('select stamp from contextful.build').columns[0].values()[0] -%}
        {%- set version = run_query('select version()').columns[0].values()[0] | replace('v', '') -%}
        {%- set name = 'published/' ~ stamp ~ '-' ~ invocation_id[:8] ~ '.duckdb-' ~ version ~ '.duckdb' -%}
        {%- do publication_file('begin', name) -%}
        {%- do run_query('attach ' ~ state_file(name) ~ ' as publication') -%}
        {%- set statements = publication_statements() -%}
        {#-
            dbt may keep a transaction open, which would have written to the warehouse: a second database needs its own.
            A statement that begins one where none is open makes sure that there is one to end.
        -#}
        {%- call statement('ensure_transaction', auto_begin=true) -%} select 1 {%- endcall -%}
        {%- do run_query('commit') -%}
        {%- for statement in statements -%}
            {%- do run_query(statement) -%}
        {%- endfor -%}
        {%- do run_query('detach publication; begin') -%}
        {%- do publication_file('finish', name) -%}
    {%- endif -%}
{%- endmacro %}

{#- The steps of publishing that SQL cannot do, by the plugin's one door (contextful_cli/dbt_plugin.Plugin.store). -#}
{% macro publication_file(step, name) -%}
    {%- do adapter.store_relation('contextful', api.Relation.create(identifier=step), [], name, 'duckdb', {}) -%}
{%- endmacro %}
