{#- Branches of claim_fault: a key given twice, and one that means nothing. keys, known: SQL lists of names. -#}
{% macro key_faults(keys, known) -%}
    when len(list_distinct({{ keys }})) < len({{ keys }})
        then 'a key is given twice: `' || {{ quoted_name("list_filter(" ~ keys ~ ", lambda k: len(list_filter(" ~ keys ~ ", lambda o: o = k)) > 1)[1]") }} || '`'
    when not list_has_all({{ known }}, {{ keys }})
        then
            'unknown key `'
            || {{ quoted_name("list_filter(" ~ keys ~ ", lambda k: not list_contains(" ~ known ~ ", k))[1]") }}
            || '`; known: '
            || array_to_string({{ known }}, ', ')
{%- endmacro %}
