{#-
    Every registered prediction of the declared pairs of predictions and outcomes, with its newest observation, if any,
    and what that makes of it, as known under a read's bounds.

    state               settled     a verdict labels it
                        annulled    closed without a verdict by the signal `annulled`; a later verdict still replaces that
                        unlabelled  a verdict that never labels (see unlabelled_because)
                        overdue     no verdict, and the time in which one could label has passed
                        open        no verdict yet
    is_registered_late  the registration was stored after what it foretold had been observed
    lead_time_s         seconds from the prediction to the observation

    outcomes_table, as_of, available_as_of, now    SQL expressions; outcomes_table null: every pair; bounds inclusive, null
                                                   for none; now decides between open and overdue, null: all are open
    rule: settle.label-join
-#}
{% macro judged_predictions(outcomes_table='null', as_of='null', available_as_of='null', now='null') -%}
    with
    pairs as (
        select _table as outcomes_table, predictions as predictions_table
        from {{ session_relation('declared_tables') }}
        where
            shape = 'outcomes'
            and predictions is not null
            and ({{ outcomes_table }}::varchar is null or _table = {{ outcomes_table }}::varchar)
    ),
    registered as (
        select *
        from {{ session_relation('all_predictions') }}
        where
            _table in (select predictions_table from pairs)
            and {{ is_committed(as_of, available_as_of) }}
    ),
    observed as (
        select *
        from {{ session_relation('all_outcomes') }}
        where
            _table in (select outcomes_table from pairs)
            and {{ is_committed(as_of, available_as_of) }}
    ),
    -- The caller's row filters come after the newest version, or hiding it would bring an earlier one back.
    registrations as (
        select * from ({{ newest_version('registered', ['_table', 'prediction_id']) | indent(8) }})
        where is_hidden is not true
    ),
    observations as (
        select * from ({{ newest_version('observed', ['_table', 'prediction_id']) | indent(8) }})
        where is_hidden is not true
    ),
    final as (
        select
            pairs.outcomes_table,
            p.prediction_id,
            p.subject,
            p.predicted_at,
            p.deadline_at,
            p.resolution_source,
            p._ingested_at as registered_at,
            o.observed_at,
            o.verdict,
            o.signal,
            o.settling_citation,
            o._ingested_at as stored_at,
            {{ lead_time_s('p', 'o') }} as lead_time_s,
            {{ unlabelled_because('p', 'o') | indent(12) }} as unlabelled_because,
            case
                when o.verdict is not null and unlabelled_because is null then 'settled'
                when o.verdict is not null then 'unlabelled'
                when o.signal = 'annulled' then 'annulled'
                when
                    epoch_us({{ now }}::timestamptz) > epoch_us(p.deadline_at) + {{ grace_seconds() }} * 1000000::bigint
                    then 'overdue'
                else 'open'
            end as state,
            coalesce(epoch_us(p._ingested_at) > epoch_us(o.observed_at), false) as is_registered_late
        from pairs
        inner join registrations as p on pairs.predictions_table = p._table
        left join observations as o on pairs.outcomes_table = o._table and p.prediction_id = o.prediction_id
    )
    select * from final
{%- endmacro %}
