{#- The first instant of a parsed line that cannot be stored, as a sentence; null where all can. -#}
{% macro instant_fault(available_column) -%}
    case
        {{ instant_faults("'observed_at'", 'observed_at_kind', 'observed_text', 'observed_at') | indent(8) }}
        {{ instant_faults("'valid_until'", 'valid_until_kind', 'until_text', 'valid_until') | indent(8) }}
        {{ instant_faults(available_column, 'available_kind', 'available_text', 'available_at') | indent(8) }}
    end
{%- endmacro %}
