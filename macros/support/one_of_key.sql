{#-
    One row of each key, the first in the order of commits or the last. Most keys have one row: those pass as they are, for
    a window would sort every column of every row, five times the work.

    relation     a relation with the engine's columns; read three times
    key          its key columns; null equals null
    direction    'asc' for the first row, 'desc' for the newest
-#}
{% macro one_of_key(relation, key, direction) -%}
    with
    repeated as (
        select "{{ key | join('", "') }}"
        from {{ relation }}
        group by all
        having count(*) > 1
    ),

    final as (
        select landed.*
        from {{ relation }} as landed
        anti join repeated on {{ is_same_key('landed', 'repeated', key) }}
        union all
        select landed.*
        from {{ relation }} as landed
        semi join repeated on {{ is_same_key('landed', 'repeated', key) }}
        qualify row_number() over (
            partition by "{{ key | join('", "') }}"
            order by _ingested_at {{ direction }}, _run_id {{ direction }}, _row_seq {{ direction }}
        ) = 1
    )

    select * from final
{%- endmacro %}

{#- Whether two rows have one key, for one_of_key. -#}
{% macro is_same_key(a, b, key) -%}
    {%- for column in key -%}
    {{ a }}."{{ column }}" is not distinct from {{ b }}."{{ column }}"{{ ' and ' if not loop.last }}
    {%- endfor -%}
{%- endmacro %}
