{#-
    `session.fitted_maps`: the isotonic maps under which confidences are served, step by step (models/calibrate/fitted_maps).
    Laid empty; a reader fits them once for each bound it reads under, since a fit takes longer than a read.
-#}
{%- macro session_fitted_maps() -%}
create table session.fitted_maps (shape varchar, predicate varchar, lowest_score double, "value" double);
{% endmacro -%}
