{#- The members of an observation and how each is read: the instant as a text, for its form is checked before the cast. -#}
{% macro observation_members() -%}
    {{ return({
        'prediction_id': 'VARCHAR',
        'observed_at': 'VARCHAR',
        'verdict': 'BOOLEAN',
        'resolution_source': 'VARCHAR',
        'signal': 'VARCHAR',
        'settling_citation': 'VARCHAR',
        'metric': 'VARCHAR',
        'value': 'DOUBLE',
    }) }}
{%- endmacro %}
