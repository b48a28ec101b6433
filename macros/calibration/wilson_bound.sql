{#-
    One end of the 95 % interval of a frequency, by Wilson's score (E. B. Wilson, JASA 22, 1927): unlike the textbook
    p ± 1.96 s it stays within [0, 1] and says something at 0 of 3. Null without samples.

    positives, samples    SQL expressions
    sign                  '-' for the lower end, '+' for the upper
-#}
{% macro wilson_bound(positives, samples, sign) -%}
    {%- set z = 1.959963984540054 -%}
    case
        -- Rounding would leave these a hair off.
        when {{ positives }} = {{ '0 then 0.0' if sign == '-' else samples ~ ' then 1.0' }}
        else (
            {{ positives }} + {{ z * z / 2 }}
            {{ sign }} {{ z }} * sqrt({{ positives }} * (1 - {{ positives }} / {{ samples }}) + {{ z * z / 4 }})
        ) / ({{ samples }} + {{ z * z }})
    end
{%- endmacro %}
