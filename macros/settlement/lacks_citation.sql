{#-
    Whether a verdict that somebody gave lacks the http(s) address it rests on. A host is asked for; nothing is fetched.
    rule: settle.settling-citation

    o, p    aliases: an observation and its registration
-#}
{% macro lacks_citation(o, p) -%}
    {%- set host = '(?:[^\\s\\pZ\\pC/?#@]*@)?(?:\\[[0-9A-Fa-f:.]+\\]|[^\\s\\pZ\\pC/?#@:\\[\\]]+)(?::[0-9]*)?' -%}
    {{ o }}.verdict is not null
    and {{ p }}.resolution_source <> 'metric'
    and not coalesce(
        regexp_full_match({{ o }}.settling_citation, '(?i:https?)://{{ host }}(?:[/?#][^\s\pZ\pC]*)?'), false
    )
{%- endmacro %}
