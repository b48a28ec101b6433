{#-
    Whether an observation speaks of another source than its registration: a verdict must give the same source and the same
    series, both or neither naming one; without a verdict only a series that is given must be the same.
    rule: settle.source-mismatch

    o, p    aliases: an observation and its registration
-#}
{% macro is_source_mismatch(o, p) -%}
    case
        when {{ o }}.verdict is null
            then {{ o }}.metric is not null and ({{ o }}.metric is distinct from {{ p }}.metric)
        else
            ({{ o }}.resolution_source is distinct from {{ p }}.resolution_source)
            or ({{ o }}.metric is distinct from {{ p }}.metric)
    end
{%- endmacro %}
