{#-
    Whether a line would reach the start of a claim that stands unsuperseded and says something else (rule:
    revise.observed-order). Every tier counts, bounded and expired claims too; retracted ones are in no state.

    state, line    aliases of line_states and of a pending line, of one track
-#}
{% macro is_out_of_order(state, line) -%}
    {{ state }}.superseded_by is null
    and {{ state }}."object" <> {{ line }}."object"
    and {{ state }}.valid_from > {{ line }}.valid_from
    and ({{ line }}.valid_until is null or {{ line }}.valid_until > {{ state }}.valid_from)
{%- endmacro %}
