{{ config(parameters=[
    'p_table', 'p_subject', 'p_observed_at', 'p_as_of := null', 'p_available_as_of := null', 'p_scope := null',
    'p_predicate := null', 'p_ceiling := 10000'
]) }}
{{ calibrated_claims(ref('recall_claims')) }}
