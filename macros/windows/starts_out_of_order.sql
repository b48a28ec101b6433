{#-
    Pairs (arrival, successor) with a later start, for the claims whose next start had arrived before them.

    candidates    relation: scanned_lines, with the candidate of the claim's own rank
-#}
{% macro starts_out_of_order(candidates) -%}
    select p.arrival, s.arrival as successor
    from {{ candidates }} as p
    inner join {{ candidates }} as s
        on
            p.subject = s.subject
            and p.predicate = s.predicate
            and p."scope" is not distinct from s."scope"
    where
        p.candidate < p.arrival
        and s.is_open
        and s.arrival > p.arrival
        and s.tier_rank >= p.tier_rank
        and s.starts_at between p.starts_at + 1 and p.starts_at + p.reach
{%- endmacro %}
