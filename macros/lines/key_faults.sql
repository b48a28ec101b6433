{#-
    Branch of a line's fault: a key given twice, or one that means nothing. That there is one is seen from the numbers alone:
    more keys than known ones that have a value. Which one it is, is looked for only then.

    keys, known     SQL lists of names
    kinds           SQL expressions: the JSON type under each known name, null where it is absent
-#}
{% macro key_faults(keys, known, kinds) -%}
    {%- set doubled = "list_filter(" ~ keys ~ ", lambda k: len(list_filter(" ~ keys ~ ", lambda o: o = k)) > 1)[1]" -%}
    {%- set unknown = "list_filter(" ~ keys ~ ", lambda k: not list_contains(" ~ known ~ ", k))[1]" -%}
    when len({{ keys }}) <> {% for kind in kinds %}({{ kind }} is not null)::integer{{ ' + ' if not loop.last }}{% endfor %}
        then
            case
                when len(list_distinct({{ keys }})) < len({{ keys }})
                    then 'a key is given twice: `' || {{ quoted_name(doubled) }} || '`'
                else
                    'unknown key `' || {{ quoted_name(unknown) }} || '`; known: '
                    || array_to_string({{ known }}, ', ')
            end
{%- endmacro %}
