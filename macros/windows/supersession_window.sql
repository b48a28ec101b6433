{#-
    Which claim replaced which: one row (arrival, successor) for every claim that has a successor, both as arrivals.

    On one line (subject, predicate, scope) the successor of p is the earliest later arrival s of an equal or higher
    tier with s.valid_from >= p.valid_from, both open-ended as asserted or with one valid_from, p not expired at or
    before s.valid_from, and no unscoped collision.

    rule: revise.supersede

    Later starts come from one window over each line: a self-join alone would be right too, and quadratic in a line. Two
    joins decide the few rows that the window cannot: equal starts, and starts told out of order.

    claims    relation: subject, predicate, scope, object, tier, valid_from, valid_to (as asserted), expired_at, arrival
-#}
{% macro supersession_window(claims) -%}
    with
    placed as (
        {{ placed_claims(claims) | indent(8) }}
    ),

    scanned as (
        {{ scanned_lines('placed') | indent(8) }}
    ),

    candidates as (
        select
            *,
            case
                when is_open and tier_rank = 1 then next_1
                when is_open and tier_rank = 2 then next_2
                when is_open then next_3
            end as candidate
        from scanned
    ),

    successors as (
        select arrival, candidate as successor from candidates where candidate > arrival
        union all
        select * from ({{ equal_starts('candidates') | indent(8) }})
        union all
        select * from ({{ starts_out_of_order('candidates') | indent(8) }})
    ),

    -- The earliest arrival wins.
    final as (
        select arrival, min(successor) as successor from successors group by arrival
    )

    select * from final
{%- endmacro %}
