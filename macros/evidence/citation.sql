{#-
    A citation of the landed row at hand: which table, run and line a claim rests on; never a value of the row.

    table       the declared table the row was landed into
    alias       the row's relation in the query, where several have engine columns
-#}
{% macro citation(table, alias=none) -%}
    {%- set row = alias ~ '.' if alias else '' -%}
    struct_pack("table" := '{{ table }}', run := {{ row }}_run_id, seq := {{ row }}_row_seq)
{%- endmacro %}
