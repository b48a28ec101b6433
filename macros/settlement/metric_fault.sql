{#-
    What is wrong with a registration's metric, as a sentence; null for a sound one or none. What it names is never looked
    up: the series may come later.
    rule: settle.metric-reference
-#}
{% macro metric_fault() -%}
    case
        when metric is not null and resolution_source <> 'metric'
            then '`metric` goes with the source metric alone; leave it out'
        when
            not contains(metric, ':')
            or {{ is_blank("split_part(metric, ':', 1)") | indent(12) }}
            or {{ is_blank("substr(metric, strpos(metric, ':') + 1)") | indent(12) }}
            or contains(metric, chr(0))
            then '`metric` must name a table and a series in it, such as prices:wheat'
    end
{%- endmacro %}
