{{ config(parameters=[]) }}
with

cited as (
    select
        line_number,
        unnest(evidence) as citation,
        generate_subscripts(evidence, 1) as "position",
    from {{ pending_relation('lines') }}
    where identifier is null
),

keyed_tables as (
    select _table from {{ session_relation('source_tables') }} where is_keyed
),

of_keyed_tables as (
    select cited.*, hash(citation."table", citation.run, citation.seq) as ref_hash
    from cited
    inner join keyed_tables on cited.citation."table" = keyed_tables._table
),

source_versions as (
    select * from {{ session_relation('source_versions') }}
),

-- The hash finds the row, all parts decide.
found as (
    select of_keyed_tables.line_number, of_keyed_tables."position", source_versions.* exclude (ref_hash),
    from of_keyed_tables
    inner join source_versions on of_keyed_tables.ref_hash = source_versions.ref_hash
    where
        row(source_versions._table, source_versions._run_id, source_versions._row_seq)
        = row(of_keyed_tables.citation."table", of_keyed_tables.citation.run, of_keyed_tables.citation.seq)
),

cited_keys as (
    select distinct key_hash, _table, row_key from found
),

newest as (
    select
        cited_keys._table,
        cited_keys.row_key,
        max(row(source_versions._ingested_at, source_versions._run_id, source_versions._row_seq)) as newest_version,
    from cited_keys
    inner join source_versions on cited_keys.key_hash = source_versions.key_hash
    where row(source_versions._table, source_versions.row_key) = row(cited_keys._table, cited_keys.row_key)
    group by cited_keys._table, cited_keys.row_key
),

final as (
    select
        found.line_number,
        found."position",
        found.row_key,
        row(found._ingested_at, found._run_id, found._row_seq) <> newest.newest_version as is_replaced,
    from found
    inner join newest on found._table = newest._table and found.row_key = newest.row_key
)

select * from final
