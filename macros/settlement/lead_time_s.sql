{#- Seconds from a prediction to its observation. p, o: aliases with predicted_at and observed_at -#}
{% macro lead_time_s(p, o) -%}
    (epoch_us({{ o }}.observed_at) - epoch_us({{ p }}.predicted_at)) / 1e6
{%- endmacro %}
