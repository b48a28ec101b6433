{{ memory_facts('congress_claims') }}
