{#- Whether a node of this run failed or was skipped for one that did. -#}
{% macro has_failures() -%}
    {%- for result in results if result.status in ('error', 'fail', 'skipped', 'runtime error') -%}
        {{- return(true) -}}
    {%- endfor -%}
    {{- return(false) -}}
{%- endmacro %}
