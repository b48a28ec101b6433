{#-
    The isotonic fit: for each group the steps of the nondecreasing function of the score that is nearest to the outcomes
    in squares. Equal scores are pooled, then adjacent violators (Barlow, Bartholomew, Bremner and Brunk, Statistical
    Inference under Order Restrictions, 1972), all of them in each pass (Kearsley, Tapia and Trosset, 1996).
    rule: synthesize.confidence-calibration

    As the greatest convex minorant of the cumulative sum diagram: a block's value is the slope between its corner and the
    next, and a corner at which the slope does not rise goes. Whole numbers throughout, so ties are exact.
    Ten to twenty passes for a million scores; a group whose violations run back one block at a time takes a pass for each.

    forecasts    relation: claims_table, shape, predicate, score, verdict; those to fit on
-#}
{% macro isotonic_blocks(forecasts) -%}
    with recursive
    groups as (
        select *, row_number() over (order by claims_table asc, shape asc, predicate asc) as group_number
        from (select distinct claims_table, shape, predicate from {{ forecasts }})
    ),

    numbered as (
        select groups.group_number, score, verdict
        from {{ forecasts }}
        inner join groups using (claims_table, shape, predicate)
    ),

    passes as (
        select 0 as pass, *, null::bigint as corners from ({{ isotonic_corners('numbered') | indent(8) }})
        union all
        select pass + 1, group_number, lowest_score, forecasts_before, positives_before, remaining
        from (
            select
                *,
                forecasts_before - lag(forecasts_before) over line as samples_before,
                positives_before - lag(positives_before) over line as positives_of_before,
                lead(forecasts_before) over line - forecasts_before as samples,
                lead(positives_before) over line - positives_before as positives,
                count(*) over (partition by group_number) as remaining
            from passes
            window line as (partition by group_number order by forecasts_before asc)
        )
        where
            remaining is distinct from corners
            and coalesce(positives_of_before * samples < positives * samples_before, true)
    ),

    last_passes as (
        select group_number, max(pass) as pass from passes group by group_number
    ),

    final as (
        select
            groups.claims_table,
            groups.shape,
            groups.predicate,
            row_number() over line as block_number,
            passes.lowest_score,
            lead(passes.forecasts_before) over line - passes.forecasts_before as samples,
            lead(passes.positives_before) over line - passes.positives_before as positives,
            positives / samples as value
        from passes
        inner join last_passes using (group_number, pass)
        inner join groups using (group_number)
        window line as (partition by groups.group_number order by passes.forecasts_before asc)
        qualify lowest_score is not null
    )

    select * from final
{%- endmacro %}
