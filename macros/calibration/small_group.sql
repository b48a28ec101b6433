{#- Below so many samples a group is called small, and fails no run. -#}
{% macro small_group() -%} 30 {%- endmacro %}
