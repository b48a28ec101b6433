{#-
    All statements that lay a session: one view for each lake table asked for, and the unions by shape.

    tables      what the session may name: [{name, shape, key, available_column, max_rows, labels, predictions, masks,
                filters: [{column}]}]
    reaches     {lake table: {published, lake}}
    views       lake tables that get a view of their own
    bounds      {after, until}, see landed_rows
    published   whether a published copy is attached
    pending     whether a write's tables are to be laid too
-#}
{%- macro session_script(tables, reaches, views, bounds, published, pending) -%}
drop schema if exists session cascade;
create schema session;
{{ session_visibility(tables) }}
{% for name in views %}{{ session_table(name, reaches[name], bounds) }}{% endfor %}
{{ session_facts(tables, reaches, bounds) }}
{{ session_closures(tables, reaches, bounds) }}
{{ session_letters(tables, reaches, bounds) }}
{{ session_settlement(tables, reaches, bounds) }}
{{ session_source_rows(tables, reaches, bounds) }}
{{ session_source_versions(tables, reaches, bounds, published) }}
{{ session_declared_tables(tables) }}
{{ session_fitted_maps() }}
{% if pending %}{{ session_pending(tables, reaches, bounds) }}{% endif %}
{%- endmacro -%}
