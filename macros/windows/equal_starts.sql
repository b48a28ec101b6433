{#-
    Pairs (arrival, successor) of claims of one line that start at one instant, open-ended or not: the only place where
    the collision rule matters, since a collision needs one start.

    candidates    relation: scanned_lines
-#}
{% macro equal_starts(candidates) -%}
    select p.arrival, s.arrival as successor
    from {{ candidates }} as p
    inner join {{ candidates }} as s
        on
            p.subject = s.subject
            and p.predicate = s.predicate
            and p."scope" is not distinct from s."scope"
            and p.starts_at = s.starts_at
    where
        p.shares_start
        and s.shares_start
        and not p.is_void
        and s.arrival > p.arrival
        and s.tier_rank >= p.tier_rank
        and not {{ is_collision_pair('p', 's') }}
{%- endmacro %}
