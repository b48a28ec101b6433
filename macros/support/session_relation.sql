{#-
    The session's name for what a model reads: a declared table, or one of the unions by shape (`all_memory_facts` …).
    For a declared table the source is recorded too, so that lineage stays true; a union depends on every source that
    feeds it, and names none.
-#}
{% macro session_relation(name, declared=false) -%}
    {%- if declared -%}
        {%- do source('landing', name) -%}
    {%- endif -%}
    {{ api.Relation.create(database=target.database, schema='session', identifier=name) }}
{%- endmacro %}
