{#-
    How far forecasts are from what happened, on average over the bins, each weighed by its samples (M. P. Naeini and
    others, AAAI 2015): an aggregate over probability_bins.

    bins    their alias
-#}
{% macro expected_calibration_error(bins) -%}
    {{ repeatable_sum(bins ~ '.share * abs(' ~ bins ~ '.mean_score - ' ~ bins ~ '.frequency)') }}
{%- endmacro %}
