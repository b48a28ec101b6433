{{ memory_facts_history('congress_claims') }}
