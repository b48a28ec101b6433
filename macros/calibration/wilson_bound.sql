{#-
    One end of the 95 % interval of a frequency, by Wilson's score (E. B. Wilson, JASA 22, 1927): unlike the textbook
    p ± 1.96 s it stays within [0, 1] and says something at 0 of 3. Null without samples.

    positives, samples    SQL expressions
    sign                  '-' for the lower end, '+' for the upper
-#}
{% macro wilson_bound(positives, samples, sign) -%}
    {%- set z = 1.959963984540054 -%}
    {%- set frequency = '(' ~ positives ~ ' / nullif(' ~ samples ~ ', 0)::double)' -%}
    greatest(0.0, least(1.0, (
        {{ frequency }} + {{ z * z / 2 }} / {{ samples }}
        {{ sign }} {{ z }} * sqrt({{ frequency }} * (1 - {{ frequency }}) / {{ samples }} + {{ z * z / 4 }} / {{ samples }} / {{ samples }})
    ) / (1 + {{ z * z }} / {{ samples }})))
{%- endmacro %}
