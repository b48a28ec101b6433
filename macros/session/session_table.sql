{#- `session.<table>`: every landed row of one lake table, its declared columns and the engine's. -#}
{%- macro session_table(name, reach, bounds) -%}
create or replace view session."{{ name }}" as {{ landed_rows(name, reach, bounds) }};
{% endmacro -%}
