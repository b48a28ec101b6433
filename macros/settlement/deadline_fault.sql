{#-
    Why a registration whose instants are sound has no deadline that can be stored, as a sentence; null where it has one or
    is an open watch. By CASE, so that a horizon of any length overflows nothing.
    rule: settle.registration
-#}
{% macro deadline_fault() -%}
    case
        when horizon_secs > ({{ last_microsecond() }} - epoch_us(predicted_at)) // 1000000
            then '`horizon_secs` reaches beyond the year 9999; for a prediction without an end, register `watch: true`'
        when deadline_at < predicted_at then '`deadline_at` must not lie before `predicted_at`'
    end
{%- endmacro %}
