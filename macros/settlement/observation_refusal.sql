{#-
    What a refused observation is told, as a sentence; null for no refusal.

    identifier      SQL expression
    predictions     SQL expression: the predictions table's name
-#}
{% macro observation_refusal(identifier, predictions) -%}
    case {{ identifier }}
        when 'OutcomePredictionUnregistered'
            then
                '`' || {{ quoted_name('prediction_id') }} || '` is not registered in ' || {{ predictions }}
                || '; `contextful memory predict --into ' || {{ predictions }} || '` registers it'
        when 'OutcomeSourceMismatch'
            then
                '`' || {{ quoted_name('prediction_id') }} || '` is settled by ' || registered_source
                || ' and the observation gives ' || observed_source || '; give the registered one'
        when 'OutcomeCitationMissing'
            then
                'a verdict of ' || registered_source
                || ' needs a `settling_citation`: the http or https address that it rests on'
        when 'OutcomeAlreadySettled'
            then
                '`' || {{ quoted_name('prediction_id') }}
                || '` has a verdict, and no verdict is changed; what settled it stands'
    end
{%- endmacro %}
