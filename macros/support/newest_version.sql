{#-
    The newest version of each key of a keyed table, out of all its landed rows: `session.<table>` holds every version.

    Bounds come first: filter the relation to the rows an as-of read may see before it comes here, never after.

    relation    a relation or subquery with the engine's columns
    key         its key columns
-#}
{% macro newest_version(relation, key) -%}
    {{ one_of_key(relation, key, 'desc') }}
{%- endmacro %}
