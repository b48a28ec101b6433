{#-
    The first version of each key, out of all landed rows that a read's bounds admit: the counterpart of newest_version.

    relation    a relation with the engine's columns
    key         its key columns
-#}
{% macro earliest_version(relation, key) -%}
    {{ one_of_key(relation, key, 'asc') }}
{%- endmacro %}
