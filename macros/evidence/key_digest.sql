{#-
    The digest of a cited row's key: HMAC-SHA256 under the pepper, in hex, of the table's name (length-prefixed) and the
    key's text. The two padded keys are session variables (contextful_cli/pepper.py) and never part of a statement.
-#}
{% macro key_digest(table, row_key) -%}
    sha256(
        getvariable('pepper_outer')
        || unhex(sha256(getvariable('pepper_inner') || {{ length_prefixed(table) }} || encode({{ row_key }})))
    )
{%- endmacro %}
