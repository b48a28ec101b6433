{{ config(parameters=[]) }}
with

final as (
    select
        line_number,
        track,
        'refused' as outcome,
        valid_from,
        0::bigint as retired,
        'MemoryClaimMalformed' as identifier,
        'valid_until must lie after ' || {{ instant_text('valid_from') }} || ', where the claim starts' as message,
        null::timestamptz[] as closes,
        null::varchar[] as collides_with
    from {{ pending_relation('undecided') }}
    where valid_until <= valid_from
)

select * from final
