{#-
    Why an observation does not label its prediction, null where it does: an open watch has no deadline, nobody rates
    themselves, and only what was observed from the prediction on through deadline and grace counts, both ends included.
    By microseconds: an interval added to a deadline of the year 9999 would overflow.
    rule: settle.grace-window
    p, o    aliases: a registration with predicted_at and deadline_at, an observation with observed_at and signal
-#}
{% macro unlabelled_because(p, o) -%}
    case
        when {{ o }}.signal = 'self-rated' then 'it is self-rated'
        when {{ p }}.deadline_at is null then 'an open watch has no deadline and never labels'
        when {{ o }}.observed_at < {{ p }}.predicted_at then 'it was observed before the prediction was made'
        when epoch_us({{ o }}.observed_at) > epoch_us({{ p }}.deadline_at) + {{ grace_seconds() }} * 1000000::bigint
            then 'it was observed more than {{ grace_seconds() }} s after the deadline'
    end
{%- endmacro %}
