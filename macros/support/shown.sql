{#-
    A column of a claims table as the caller may read it: null where the credential masks it.

    column    its name
    table     SQL expression: the claims table
-#}
{% macro shown(column, table='p_table') -%}
    case when not {{ is_masked(column, table) }} then "{{ column }}" end
{%- endmacro %}

{#-
    An id of a claim as the caller may read it. It is a digest of the claim's subject, predicate, object and scope: who may
    not read one of these could find it by guessing.
-#}
{% macro shown_id(column) -%}
    case
        when not (
            {%- for part in ('claim_id', 'subject', 'predicate', 'object', 'scope') %}
            {{ is_masked(part) }}{{ ' or' if not loop.last }}
            {%- endfor %}
        ) then "{{ column }}"
    end
{%- endmacro %}

{#- Whether the credential masks a column of a claims table, for shown. -#}
{% macro is_masked(column, table='p_table') -%}
    {{ session_relation('is_masked') }}({{ table }}::varchar, '{{ column }}')
{%- endmacro %}
