{#- The Congress numbers terms as Congresses begin; a member re-elected to a seat may be sworn in some days later. -#}
{% set days_between_terms = 40 %}

with

terms as (
    {{ newest_version(session_relation('congress_terms', declared=true), ['bioguide', 'term']) }}
),

states as (
    select * from {{ ref('states') }}
),

seats as (
    select
        terms.bioguide,
        terms.term,
        terms.start as started_on,
        terms."end" as ended_on,
        {{ citation('congress_terms', 'terms') }} as citation,
        case
            when terms.chamber = 'sen' then 'Senator for ' || states.name || ' (class ' || terms.class || ')'
            when states.house_title <> 'Representative' then states.house_title || ' for ' || states.name
            when terms.district = 0 then 'Representative for ' || states.name || ', at large'
            else 'Representative for ' || states.name || ', district ' || terms.district
        end as seat
    from terms
    inner join states on terms.state = states.code
),

compared as (
    select
        *,
        max(started_on) over () as known_until,
        coalesce(
            started_on - lag(ended_on) over member_terms > {{ days_between_terms }}, true
        ) as is_after_gap,
        coalesce(seat <> lag(seat) over member_terms, true) as is_other_seat
    from seats
    window member_terms as (partition by bioguide order by term)
),

numbered as (
    select
        *,
        (count_if(is_after_gap) over member_terms)::integer as stint,
        (count_if(is_after_gap or is_other_seat) over member_terms)::integer as spell
    from compared
    window member_terms as (partition by bioguide order by term)
),

spells as (
    select
        bioguide,
        stint,
        spell,
        seat,
        min(started_on) as started_on,
        max(ended_on) as ended_on,
        any_value(known_until) as known_until,
        list(citation order by term) as citations
    from numbered
    group by bioguide, stint, spell, seat
),

final as (
    select
        bioguide,
        spell,
        seat,
        started_on,
        -- A claim with an end replaces none and is replaced by none: once a stint is over, each of its seats needs one.
        case
            when max(ended_on) over (partition by bioguide, stint) < known_until
                then coalesce(lead(started_on) over (partition by bioguide, stint order by spell), ended_on)
        end as left_on,
        citations
    from spells
)

select * from final
