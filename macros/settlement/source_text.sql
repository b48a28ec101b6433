{#- A row's source as a sentence names it, with its series where it has one. -#}
{% macro source_text(row) -%}
    '`' || coalesce({{ quoted_name(row ~ '.resolution_source') }}, 'no source')
    || coalesce(' of ' || {{ quoted_name(row ~ '.metric') }}, '') || '`'
{%- endmacro %}
