{{ config(parameters=['p_table', 'p_available_column := null', 'p_available_zone := null']) }}
with

parsed as (
    select * from {{ ref('parsed_lines') }}(p_available_column)
),

given as (
    select
        parsed.* exclude (given, available_at),
        parsed.given.claim.subject as subject,
        parsed.given.claim.predicate as predicate,
        parsed.given.claim."object" as "object",
        parsed.given.claim."scope" as "scope",
        parsed.given.claim.confidence as confidence,
        parsed.given.claim.evidence as evidence,
        parsed.given.dedup_key as dedup_key,
        parsed.given.observed_at as observed_text,
        parsed.given.valid_until as until_text,
        parsed.available_at as available_text,
        {{ stored_instant('parsed.given.observed_at') }} as observed_at,
        {{ stored_instant('parsed.given.valid_until') }} as valid_until,
        {{ stored_instant('parsed.available_at', 'p_available_zone') }} as available_at
    from parsed
),

faults as (
    select
        *,
        {{ claim_fault('p_available_column') | indent(8) }} as form_fault,
        {{ instant_fault('p_available_column') | indent(8) }} as instant_fault,
        not {{ session_relation('admits_claim') }}(p_table::varchar, subject, predicate, "scope") as is_outside
    from given
),

final as (
    select
        line_number,
        subject,
        predicate,
        "object",
        "scope",
        confidence,
        -- A digest that the caller sends is never trusted: the write stamps its own.
        list_transform(
            evidence,
            lambda c: struct_pack("table" := c."table", run := c.run, seq := c.seq, key_digest := null::varchar)
        ) as evidence,
        observed_at,
        valid_until,
        dedup_key,
        available_at,
        case
            when form_fault is null and instant_fault is null and not is_outside
                then {{ claim_id('subject', 'predicate', '"object"', '"scope"', 'dedup_key') | indent(16) }}
        end as claim_id,
        case
            when form_fault is not null then 'MemoryClaimMalformed'
            when instant_fault is not null then 'InstantMalformed'
            when is_outside then 'GrantWriteNotCovered'
        end as identifier,
        coalesce(
            form_fault,
            instant_fault,
            case when is_outside then 'the claim lies outside the rows of this table that the credential covers' end
        ) as message
    from faults
)

select * from final
