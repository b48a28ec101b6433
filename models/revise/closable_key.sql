{{ config(parameters=['p_claim_id', 'p_valid_from := null', 'p_at := null']) }}
with

-- Given neither: the newest interval. Given an instant alone: the interval that contains it.
final as (
    select valid_from
    from {{ pending_relation('states') }}
    where
        claim_id = p_claim_id::varchar
        and (p_valid_from::timestamptz is null or valid_from = p_valid_from::timestamptz)
        and (
            p_at::timestamptz is null
            or p_valid_from::timestamptz is not null
            or (valid_from <= p_at::timestamptz and (valid_to is null or valid_to > p_at::timestamptz))
        )
    order by valid_from desc
    limit 1
)

select * from final
