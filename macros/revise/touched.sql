{#-
    The versions of a relation that stand on the tracks at hand, as pending.versions holds them.

    versions    relation: subject, predicate, scope, claim_id, object, tier, valid_from, valid_to and the row's order
-#}
{% macro touched(versions) -%}
    select
        tracks.track,
        versions.claim_id,
        versions."object",
        versions."scope",
        versions.tier,
        versions.valid_from,
        versions.valid_to,
        versions._ingested_at,
        versions._run_id,
        versions._row_seq
    from {{ versions }} as versions
    inner join {{ pending_relation('tracks') }} as tracks
        on
            versions.subject = tracks.subject
            and versions.predicate = tracks.predicate
            and versions."scope" is not distinct from tracks."scope"
{%- endmacro %}
