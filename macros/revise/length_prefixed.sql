{#-
    A text as bytes: eight bytes that hold its length in bytes, big-endian, then its UTF-8. A short length is one
    character, which takes half the time.
-#}
{% macro length_prefixed(text) -%}
    case
        when strlen({{ text }}) < 128 then encode(repeat(chr(0), 7) || chr(strlen({{ text }})::integer) || {{ text }})
        else unhex(format('{:016x}', strlen({{ text }}))) || encode({{ text }})
    end
{%- endmacro %}
