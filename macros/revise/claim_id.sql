{#-
    The id of a claim: `c-` and 24 hex digits of SHA-256 over subject, predicate, object and scope (absent: empty), each
    after its length in bytes, so that no two claims run together. Under a dedup key the hash starts with that key.

    subject, predicate, object, scope, dedup_key    SQL expressions
-#}
{% macro claim_id(subject, predicate, object, scope, dedup_key='null') -%}
    'c-' || left(sha256(
        case
            when {{ dedup_key }} is null then ''::blob
            else 'dedup_key'::blob || {{ length_prefixed(dedup_key) }}
        end
        || {{ length_prefixed(subject) }}
        || {{ length_prefixed(predicate) }}
        || {{ length_prefixed(object) }}
        || {{ length_prefixed("coalesce(" ~ scope ~ ", '')") }}
    ), 24)
{%- endmacro %}
