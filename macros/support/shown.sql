{#-
    A column of a claims table as the caller may read it: null where the credential masks it.

    column    its name
    table     SQL expression: the claims table
-#}
{% macro shown(column, table='p_table') -%}
    case when not {{ is_masked(column, table) }} then "{{ column }}" end
{%- endmacro %}

{#- Whether the credential masks a column of a claims table, for shown. -#}
{% macro is_masked(column, table='p_table') -%}
    {{ session_relation('is_masked') }}({{ table }}::varchar, '{{ column }}')
{%- endmacro %}
