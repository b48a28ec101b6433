{#-
    Which of ten equal bins a probability falls in: 0 for [0, 0.1) to 9 for [0.9, 1], as the rule has it
    (rule: settle.calibration-report).

    Tenths are not exact in binary: eight times 0.1, added up, falls short of 0.8 by 1e-16. What lies within 1e-13 of an
    edge counts as the edge, so that no forecast changes its bin by how it was computed.
-#}
{% macro bin_number(score) -%}
    least(floor(round({{ score }} * 10, 12)), 9)::integer
{%- endmacro %}
