{#- How many citations a claim may rest on; one with more is withheld. -#}
{% macro max_citations() -%} 4096 {%- endmacro %}
