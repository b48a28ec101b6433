{{ memory_facts('forecast_claims') }}
