{#-
    The newest row that a table holds of each prediction that the lines at hand name.

    relation    session relation over all tables of the shape, by its name
    table       SQL expression: the table
-#}
{% macro newest_named(relation, table) -%}
    with
    named as (
        select stored.*
        from {{ session_relation(relation) }} as stored
        inner join {{ pending_relation('named_predictions') }} as named_predictions
            on stored.prediction_id = named_predictions.prediction_id
        where stored._table = {{ table }}::varchar
    ),

    final as (
        select * from ({{ newest_version('named', ['prediction_id']) | indent(8) }})
        where is_hidden is not true
    )

    select * from final
{%- endmacro %}
