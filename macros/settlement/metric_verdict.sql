{#-
    Whether a measured value meets a comparator such as `>= 3.5`: the verdict of a prediction whose source is a metric, for
    models that compute observations. Null where there is nothing to judge: no value, NaN, no comparator or no sound one.

    comparator, value    SQL expressions; both sides are compared as doubles
-#}
{% macro metric_verdict(comparator, value) -%}
    case
        when isnan(({{ value }})::double) or not {{ is_comparator(comparator) }} then null
        {% for operator in ('<', '<=', '>', '>=', '=', '!=') -%}
        when split_part({{ comparator }}, ' ', 1) = '{{ operator }}'
            then ({{ value }})::double {{ operator }} split_part({{ comparator }}, ' ', 2)::double
        {% endfor -%}
    end
{%- endmacro %}
