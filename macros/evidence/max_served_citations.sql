{#- How many citations an answer shows; the rest are gated too, and counted in evidence_omitted. -#}
{% macro max_served_citations() -%} 256 {%- endmacro %}
