{#-
    The session's name for what a model reads: a declared table, or a relation of the session's own (`all_memory_facts` …).
    The source it stands for is recorded too, so that lineage stays true and a unit test can put rows in its place.
-#}
{% macro session_relation(name, declared=false) -%}
    {%- set recorded = source('landing' if declared else 'session', name) if declared or name.startswith('all_') -%}
    {%- if model.resource_type == 'unit_test' -%}
        {{ recorded }}
    {%- else -%}
        {{ api.Relation.create(database=target.database, schema='session', identifier=name) }}
    {%- endif -%}
{%- endmacro %}
