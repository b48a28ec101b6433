{#-
    The first member in which two rows differ, null where they are the same. Two nulls are the same.

    a, b       aliases
    members    names
-#}
{% macro first_difference(a, b, members) -%}
    case
        {%- for name in members %}
        when ({{ a }}."{{ name }}" is distinct from {{ b }}."{{ name }}") then '{{ name }}'
        {%- endfor %}
    end
{%- endmacro %}
