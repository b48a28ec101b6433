{#- The last instant that is stored, 9999-12-31T23:59:59.999999Z, in microseconds since 1970. -#}
{% macro last_microsecond() -%} 253402300799999999 {%- endmacro %}
