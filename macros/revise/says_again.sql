{#- Whether a stored key, met again at its own start, is only restated: not closed, and of no lower tier than the write. -#}
{% macro says_again(state, tier) -%}
    {{ state }}.expired_at is null and {{ state }}.tier_rank >= {{ tier_rank(tier ~ '::varchar') }}
{%- endmacro %}
