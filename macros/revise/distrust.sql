{#-
    How little a row is trusted, from 1: operator, then ingested:first-party, then ingested:third-party, which is what a row
    without a label counts as.
    rule: synthesize.claim-taint

    label    SQL expression: a row's `_taint`
-#}
{% macro distrust(label) -%}
    case {{ label }} when 'operator' then 1 when 'ingested:first-party' then 2 else 3 end
{%- endmacro %}
