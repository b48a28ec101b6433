{#-
    On run end: write every table function's create statement to functions.json in the state folder, for the verbs that
    read without dbt. COPY writes aside and renames, so a reader sees the old file or the new one.

    A selected build in a fresh warehouse knows only the functions it built: then the old file stays.
-#}
{% macro hand_over_functions() -%}
    {%- if execute and flags.WHICH in ('build', 'run') -%}
        {%- set living = [] -%}
        {%- for node in graph.nodes.values() if node.config.materialized == 'table_function' -%}
            {%- do living.append(node.name) -%}
        {%- endfor -%}
        {%- do run_query(
            "delete from contextful.table_functions where not list_contains(" ~ living ~ "::varchar[], name)"
        ) -%}
        {%- set known = run_query('select count(*) from contextful.table_functions').columns[0].values()[0] -%}
        {%- if known == living | length -%}
            {%- do run_query(
                "copy (from contextful.table_functions order by name) to " ~ state_file('functions.json')
                ~ " (format json, array true)"
            ) -%}
        {%- endif -%}
    {%- endif -%}
{%- endmacro %}
