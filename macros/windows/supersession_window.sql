{#-
    Which claim replaced which: one row (arrival, successor) for every claim that has a successor, both as arrivals.

    On one line (subject, predicate, scope) the successor of p is the earliest later arrival s of an equal or higher tier
    with s.valid_from >= p.valid_from, both open-ended as asserted or with one valid_from, p not expired at or before
    s.valid_from, and no unscoped collision.

    Starts after p's own come from one window over the line by valid_from: the earliest arrival among the open claims
    that start after p and before p's expiry. On a line told in order that is the answer; where it arrived before p
    (starts told out of order), and for equal starts, two joins over those few rows decide.

    claims    relation: subject, predicate, scope, object, tier, valid_from, valid_to (as asserted), expired_at, arrival
-#}
{% macro supersession_window(claims) -%}
    with
    placed as (
        select
            subject,
            predicate,
            "scope",
            "object",
            tier,
            valid_from,
            arrival,
            valid_to is null as is_open,
            {{ tier_rank() }} as tier_rank,
            -- Whom an open claim may replace: those of rank 1, 2, 3, up to its own.
            {% for rank in (1, 2, 3) -%}
            case when valid_to is null and {{ tier_rank() }} >= {{ rank }} then arrival end as replaces_{{ rank }},
            {% endfor -%}
            epoch_us(valid_from) as starts_at,
            -- How far after its start p can still be replaced; without expiry further than any valid time.
            greatest(coalesce(epoch_us(expired_at) - epoch_us(valid_from) - 1, 1000000000000000000), -1) as reach,
        from {{ claims }}
    ),

    scanned as (
        select
            * exclude (replaces_1, replaces_2, replaces_3),
            {% for rank in (1, 2, 3) -%}
            min(replaces_{{ rank }}) over (line range between 1 following and greatest(reach, 0) following) as next_{{ rank }},
            {% endfor -%}
            count(*) over (line range between current row and current row) > 1 as shares_start,
        from placed
        window line as (partition by subject, predicate, "scope" order by starts_at asc)
    ),

    candidates as (
        select
            *,
            case when is_open then case tier_rank when 1 then next_1 when 2 then next_2 else next_3 end end as candidate,
        from scanned
    ),

    equal_starts as (
        select p.arrival, s.arrival as successor,
        from candidates as p
        inner join candidates as s
            on
                p.subject = s.subject
                and p.predicate = s.predicate
                and p."scope" is not distinct from s."scope"
                and p.starts_at = s.starts_at
        where
            p.shares_start
            and s.shares_start
            and p.reach >= 0
            and s.arrival > p.arrival
            and s.tier_rank >= p.tier_rank
            and not {{ is_collision_pair('p', 's') }}
    ),

    starts_out_of_order as (
        select p.arrival, s.arrival as successor,
        from candidates as p
        inner join candidates as s
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
    ),

    successors as (
        select arrival, candidate as successor from candidates where candidate > arrival
        union all
        select arrival, successor from equal_starts
        union all
        select arrival, successor from starts_out_of_order
    ),

    -- The earliest arrival wins.
    final as (
        select arrival, min(successor) as successor from successors group by arrival
    )

    select * from final
{%- endmacro %}
