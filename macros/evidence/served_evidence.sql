{#- The citations an answer shows: the first in (table, run, seq) order, which is how a struct sorts by its fields. -#}
{% macro served_evidence(evidence='evidence') -%}
    list_sort({{ evidence }})[:{{ max_served_citations() }}]
{%- endmacro %}
