{#-
    Materialization: a model becomes a table function (a DuckDB table macro) of its name.

    config parameters: ['p_subject', 'p_limit := null'], in order. Leave them untyped and cast inside: a typed one
    refuses strings. Every name starts with p_: one named like a column would silently be the column.
-#}
{% materialization table_function, adapter='duckdb' %}
    {%- set parameters = config.require('parameters') -%}
    {%- set statement_text -%}
        create or replace macro {{ this }}({{ parameters | join(', ') }}) as table (
        {{ sql }}
        )
    {%- endset -%}
    {%- set callees = [] -%}
    {%- for id in model.depends_on.nodes if id in graph.nodes -%}
        {%- if graph.nodes[id].config.materialized == 'table_function' -%}
            {%- do callees.append(graph.nodes[id].name) -%}
        {%- endif -%}
    {%- endfor -%}

    {{ run_hooks(pre_hooks) }}
    {% call statement('main') %}{{ statement_text }}{% endcall %}
    {% call statement('remember') %}
        insert or replace into contextful.table_functions
        values ('{{ model.name }}', '{{ this.schema }}', '{{ statement_text | replace("'", "''") }}', {{ callees }}::varchar[])
    {% endcall %}
    {{ adapter.commit() }}
    {{ run_hooks(post_hooks) }}
    {{ return({'relations': []}) }}
{% endmaterialization %}
