{#-
    Columns of versions or closures with the row's place in the order of commits, as one integer: the commit's number
    and, below 2^32, the row's place in its run.

    columns    what to keep of the rows
    rows       relation with _ingested_at, _run_id, _row_seq
    commits    relation: _ingested_at, _run_id, commit_number
-#}
{% macro in_commit_order(columns, rows, commits) -%}
    select
        {% for column in columns -%}
        landed.{{ column }},
        {% endfor -%}
        commits.commit_number * 4294967296 + landed._row_seq as commit_order
    from {{ rows }} as landed
    inner join {{ commits }} as commits using (_ingested_at, _run_id)
{%- endmacro %}
