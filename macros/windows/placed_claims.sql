{#-
    The claims as the window looks at them.

    starts_at, reach    start in microseconds, and how far after it the claim can still be replaced: up to its expiry,
                        or further than any valid time
    is_void             expired by its own start, so that nothing can replace it
    replaces_1, _2, _3  the arrival of an open claim under each rank that it may replace, those up to its own
-#}
{% macro placed_claims(claims) -%}
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
        {% for rank in (1, 2, 3) -%}
        case when valid_to is null and {{ tier_rank() }} >= {{ rank }} then arrival end as replaces_{{ rank }},
        {% endfor -%}
        epoch_us(valid_from) as starts_at,
        greatest(coalesce(epoch_us(expired_at) - epoch_us(valid_from) - 1, 1000000000000000000), 0) as reach,
        coalesce(expired_at <= valid_from, false) as is_void
    from {{ claims }}
{%- endmacro %}
