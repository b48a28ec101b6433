-- A returned row is a seat that the model and the hand-read list do not share, `side` saying which of them has it.
-- Members nobody has landed are passed over, so that a project without the sample's data builds.
with

claims as (
    select * from {{ ref('congress_seat_claims') }}
),

hand_read as (
    select * from {{ ref('congress_seats') }}
),

claimed as (
    select
        claims.subject,
        claims.object as seat,
        claims.observed_at::date as started_on,
        claims.valid_until::date as left_on
    from claims
    semi join hand_read on claims.subject = hand_read.subject
),

expected as (
    select hand_read.*
    from hand_read
    semi join claims on hand_read.subject = claims.subject
),

only_claimed as (
    select * from claimed
    except
    select * from expected
),

only_expected as (
    select * from expected
    except
    select * from claimed
),

final as (
    select
        'only claimed' as side,
        *
    from only_claimed
    union all
    select
        'only read by hand' as side,
        *
    from only_expected
)

select * from final
