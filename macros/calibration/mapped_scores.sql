{#-
    Rows with the value that their group's map gives their score: that of the last block whose lowest score is at or below
    it, below the first block the first's. Null without a map, and for a score that is no probability.
    rule: synthesize.confidence-calibration

    rows      relation with the keys and a score
    blocks    relation: the keys, lowest_score, value
    keys      the columns that tell maps apart
    score     the rows' column
-#}
{% macro mapped_scores(rows, blocks, keys=('claims_table', 'shape', 'predicate'), score='score') -%}
    with
    steps as (
        select
            *,
            case when row_number() over (partition by {{ keys | join(', ') }} order by lowest_score asc) > 1
                then lowest_score else 0
            end as begins_at
        from {{ blocks }}
    ),

    final as (
        select scored.*, steps."value" as mapped_score
        from {{ rows }} as scored
        asof left join steps
            on
                {% for key in keys -%}
                scored.{{ key }} = steps.{{ key }}
                and {% endfor -%}
                -- NaN is above every number, but belongs to no block.
                case when scored.{{ score }} <= 1 then scored.{{ score }} end >= steps.begins_at
    )

    select * from final
{%- endmacro %}
