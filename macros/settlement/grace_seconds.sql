{#- How long after a deadline an observation still labels, in seconds (rule: settle.grace-window). -#}
{% macro grace_seconds() -%} 86400 {%- endmacro %}
