{#- How many citations an answer shows; the rest are gated too, and counted (rule: recall.evidence-references). -#}
{% macro max_served_citations() -%} 256 {%- endmacro %}
