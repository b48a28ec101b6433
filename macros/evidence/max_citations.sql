{#- How many citations a claim may rest on; one with more is withheld (rule: recall.evidence-gate-bound). -#}
{% macro max_citations() -%} 4096 {%- endmacro %}
