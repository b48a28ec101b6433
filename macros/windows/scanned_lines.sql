{#-
    Each claim with the earliest arrival among the open claims of its line that start after it and within its reach, by
    the rank they replace (next_1, next_2, next_3), and whether another claim of the line starts when it does.

    On a line told in order the earliest arrival that starts later also arrived later: it is the successor. One that
    arrived before the claim itself says that starts were told out of order.

    placed    relation: placed_claims
-#}
{% macro scanned_lines(placed) -%}
    select
        * exclude (replaces_1, replaces_2, replaces_3),
        {% for rank in (1, 2, 3) -%}
        min(replaces_{{ rank }}) over (line range between 1 following and reach following) as next_{{ rank }},
        {% endfor -%}
        count(*) over (line range between current row and current row) > 1 as shares_start
    from {{ placed }}
    window line as (partition by subject, predicate, "scope" order by starts_at asc)
{%- endmacro %}
