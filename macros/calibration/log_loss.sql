{#-
    The logarithmic score of one forecast (I. J. Good, 1952): -ln of the probability given to what happened, clipped to
    [2^-52, 1 - 2^-52] as scikit-learn clips it, so that a certain forecast that fails costs 36 and not everything.
-#}
{% macro log_loss(score, verdict) -%}
    -ln(greatest(2.220446049250313e-16, least(
        1 - 2.220446049250313e-16, case when {{ verdict }} then {{ score }} else 1 - {{ score }} end
    )))
{%- endmacro %}
