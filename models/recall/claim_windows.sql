{{ config(parameters=['p_table', 'p_subject := null', 'p_as_of := null', 'p_available_as_of := null']) }}
{{ claim_windows('p_table', 'p_subject', 'p_as_of', 'p_available_as_of') }}
