{#-
    The landed rows of one lake table as a session reaches them: the published copy up to its stamp, the lake after it.
    Every version is there; bounds, newest version and window come later, in that order.

    Pure Jinja: dbt does not render it, `contextful_cli/session.py` does, for dbt's own session and for a caller's alike.

    name     lake table
    reach    {published: bool, lake: bool}: where its rows are to be read (both: a union; none: no row yet)
    bounds   {after: ns or none, until: ns or none}: the published copy's stamp, the build's stamp
    lead     a column to read first: DuckDB takes an index only where its column is the first that the scan reads
-#}
{%- macro landed_rows(name, reach, bounds, lead=none) -%}
    {%- if reach.published -%}
        select {% if lead %}"{{ lead }}", * exclude ("{{ lead }}"){% else %}*{% endif %} from published.landing."{{ name }}"
    {%- endif -%}
    {%- if reach.published and reach.lake %} union all by name {% endif -%}
    {%- if reach.lake or not reach.published -%}
        select * from landing.main."{{ name }}"
        {%- if reach.published %} where _ingested_at > make_timestamp_ns({{ bounds.after }})
        {%- elif bounds.until is not none %} where _ingested_at <= make_timestamp_ns({{ bounds.until }})
        {%- endif -%}
    {%- endif -%}
{%- endmacro -%}
