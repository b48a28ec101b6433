{#- A tier's place in researched < derived < curated, as an integer; null for anything else (rule: revise.tier). -#}
{% macro tier_rank(tier='tier') -%}
    case {{ tier }} when 'researched' then 1 when 'derived' then 2 when 'curated' then 3 end
{%- endmacro %}
