{#- What a line refused by its citations or by the observed order is told; null for a line that lands or restates. -#}
{% macro refusal_message(line) -%}
    case
        when {{ line }}.outcome <> 'refused' then null
        when {{ line }}.replaced_citation is not null
            then
                'the evidence cites ' || {{ line }}.replaced_citation
                || ', a version that a later one of the same key has replaced; cite the newest'
        else
            'another object holds from ' || {{ instant_text(line ~ '.contradicted_from') }}
            || ', after this one would start; write what holds later first, or bound this one: with valid_until at or '
            || 'before that instant it lands'
    end
{%- endmacro %}
