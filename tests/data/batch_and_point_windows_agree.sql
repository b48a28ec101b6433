-- A row is a claim whose window differs between the batch model and a read of its subject alone, once as each gives it.
{{ config(meta={'rule': 'revise.supersede'}) }}
with

batch_windows as (
    select 'batch' as read_as, claim_id, valid_from, valid_to, superseded_by, asserted_valid_to, expired_at
    from {{ ref('congress_claims') }}
),

subjects as (
    select distinct subject from {{ ref('congress_claims') }}
),

point_windows as (
    select
        'point' as read_as,
        windows.claim_id,
        windows.valid_from,
        windows.valid_to,
        windows.superseded_by,
        windows.asserted_valid_to,
        windows.expired_at
    from subjects
    cross join lateral (select * from {{ ref('claim_windows') }}('congress_claims', subjects.subject)) as windows
),

both_reads as (
    select * from batch_windows
    union all
    select * from point_windows
),

final as (
    select *
    from both_reads
    qualify
        count(*) over (
            partition by claim_id, valid_from, valid_to, superseded_by, asserted_valid_to, expired_at
        ) <> 2
)

select * from final
