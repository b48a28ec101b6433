{#- A file of the state folder as a string literal, for COPY and ATTACH. -#}
{% macro state_file(name) -%}
    '{{ (env_var('CONTEXTFUL_HOME', '.contextful') ~ '/' ~ name) | replace("'", "''") }}'
{%- endmacro %}
