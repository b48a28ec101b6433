{#-
    The newest version of each key of a keyed table, out of all its landed rows: `session.<table>` holds every version.

    Bounds come first: filter the relation to the rows an as-of read may see before it comes here, never after.

    relation    a relation or subquery with the engine's columns
    key         its key columns
-#}
{% macro newest_version(relation, key) -%}
    select *
    from {{ relation }}
    qualify row_number() over (
        partition by {% for column in key %}"{{ column }}"{{ ', ' if not loop.last }}{% endfor %}
        order by _ingested_at desc, _run_id desc, _row_seq desc
    ) = 1
{%- endmacro %}
