{#-
    Whether two claims of one line are an unscoped collision: two direct writes without scope that say different things
    from one instant on. Neither replaces the other; only a later revision ends both.
    rule: revise.unscoped-collision

    p, s    aliases that carry scope, tier, valid_from, object; same subject and predicate is the caller's join
-#}
{% macro is_collision_pair(p, s) -%}
    (
        {{ p }}."scope" is null
        and {{ s }}."scope" is null
        and {{ p }}.tier in ('researched', 'curated')
        and {{ s }}.tier in ('researched', 'curated')
        and {{ p }}.valid_from = {{ s }}.valid_from
        and {{ p }}."object" <> {{ s }}."object"
    )
{%- endmacro %}
