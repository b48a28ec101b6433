{{ judged_predictions(now='now()') }}
