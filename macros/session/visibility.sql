{#-
    A caller's rights as the session's relations carry them.

    is_hidden       whether a row filter of the credential hides the row. Unions of shapes carry it as a column: windows
                    and newest versions are chosen over every row, and only then do hidden rows leave.
    unmasked        a column, or null where the credential masks it
    session.is_masked(table, column)    the same for what reads a union whose columns a window needs
    session.admits_claim(table, subject, predicate, scope)    whether claims of that line are visible

    Tables and columns stand in the statements as they were declared; what a token says, the values, never does: they
    are rows of session.row_filters, bound (contextful_cli/session.py). A filter of an undeclared column hides every row.
-#}
{#- The values that a table's filter lets through, a list. -#}
{%- macro permitted(table, number) -%}
(select permitted from session.row_filters where _table = '{{ table.name }}' and filter_number = {{ number }})
{%- endmacro -%}

{%- macro is_hidden(table) -%}
{%- if not table.filters -%}
false
{%- else -%}
not (
{%- for filter in table.filters -%}
{{ ' and ' if not loop.first }}
{%- if filter.column -%}
coalesce(list_contains({{ permitted(table, loop.index0) }}, "{{ filter.column }}"::varchar), false)
{%- else -%}
false
{%- endif -%}
{%- endfor -%}
)
{%- endif -%}
{%- endmacro -%}

{%- macro unmasked(table, column) -%}
{% if column in table.masks %}null as {% endif %}"{{ column }}"
{%- endmacro -%}

{%- macro session_visibility(tables) -%}
create table session.row_filters (_table varchar, filter_number integer, permitted varchar[]);
create or replace macro session.is_masked(p_table, p_column) as {{ 'false' if tables | map(attribute='masks') | select | list | length == 0 }}
{%- for table in tables if table.masks %}
{{ ' or ' if not loop.first }}(p_table = '{{ table.name }}' and p_column in ('{{ table.masks | join("', '") }}'))
{%- endfor %};
create or replace macro session.admits_claim(p_table, p_subject, p_predicate, p_scope) as true
{%- for table in tables if table.filters %}
 and (p_table <> '{{ table.name }}' or (true
{%- for filter in table.filters -%}
{%- if filter.column in ('subject', 'predicate', 'scope') %}
 and coalesce(list_contains({{ permitted(table, loop.index0) }}, p_{{ filter.column }}), false)
{%- else %} and false
{%- endif -%}
{%- endfor -%}
))
{%- endfor %};
{% endmacro -%}
