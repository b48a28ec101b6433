{#- The members of a registration and how each is read: instants as texts, for their form is checked before the cast. -#}
{% macro registration_members() -%}
    {{ return({
        'prediction_id': 'VARCHAR',
        'subject': 'VARCHAR',
        'predicted_at': 'VARCHAR',
        'horizon_secs': 'BIGINT',
        'deadline_at': 'VARCHAR',
        'watch': 'BOOLEAN',
        'resolution_source': 'VARCHAR',
        'comparator': 'VARCHAR',
        'statement': 'VARCHAR',
        'metric': 'VARCHAR',
    }) }}
{%- endmacro %}
