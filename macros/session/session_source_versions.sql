{#-
    `session.source_versions`: a compact line for every landed row of every source table (unshaped), replaced key
    versions included: what a citation can rest on. Its two halves are there by themselves, for point look-ups:
    `copied_versions`, in the published copy, where both hashes are indexed, and `later_versions`, in the lake.

    A look-up in the copy joins INNER on a hash and checks all parts again, since a hash may collide and a left join
    loses the index. DuckDB uses an index only where its column is the first that the scan reads, and the only one it
    filters: the hashes stand first, a look-up by key leaves ref_hash out, and the parts are compared as one row value,
    which is no filter. A look-up in the lake joins on the parts themselves: its files are pruned by them, and hashing
    every row takes longer than reading it.
-#}
{%- macro session_source_versions(tables, reaches, bounds, published) -%}
create or replace view session.copied_versions as
{%- if published %}
select * from published.landing.source_versions
{%- for table in tables if not table.shape and (not reaches[table.name].published or table.filters or table.masks) %}
{{ 'where' if loop.first else 'and' }} _table <> '{{ table.name }}'
{%- endfor %}
{%- else %}
{{ no_source_version() }}
{%- endif %};
create or replace view session.later_versions as
{{ no_source_version() }}
{%- for table in tables if not table.shape and (reaches[table.name].lake or not published or table.filters or table.masks) %}
union all by name
{{ source_version_rows(table, reaches[table.name], bounds) }}
{%- endfor %};
{{ hidden_versions(tables, reaches, bounds) }}
create or replace view session.source_versions as
select * from session.copied_versions union all by name select * from session.later_versions;
{% endmacro -%}

{#- `session.hidden_versions`: the source rows that a row filter hides. Their place alone, to tell them from rows gone. -#}
{%- macro hidden_versions(tables, reaches, bounds) -%}
create or replace view session.hidden_versions as
select null::varchar as _table, null::varchar as _run_id, null::bigint as _row_seq
where false
{%- for table in tables if not table.shape and table.filters %}
union all by name
select '{{ table.name }}' as _table, _run_id, _row_seq
from ({{ landed_rows(table.name, reaches[table.name], bounds) }})
where {{ is_hidden(table) }}
{%- endfor %};
{%- endmacro -%}

{%- macro no_source_version() -%}
select
    null::ubigint as ref_hash, null::ubigint as key_hash, null::varchar as _table, null::varchar as _run_id,
    null::bigint as _row_seq, null::timestamp_ns as _ingested_at, null::varchar as row_key
where false
{%- endmacro -%}

{#-
    The lake's share of one source table; all of it where the caller sees only a part, which the copy's lines cannot tell.
    row_key: the key columns' texts, each after its length; null without a key, or where the caller may not read it.
    rule: recall.evidence-key-masked
-#}
{%- macro source_version_rows(table, reach, bounds) -%}
select
    '{{ table.name }}' as _table, _run_id, _row_seq, _ingested_at, row_key,
    hash('{{ table.name }}', _run_id, _row_seq) as ref_hash,
    {% if table.key and readable_key(table) != '[]' %}hash('{{ table.name }}', row_key){% else %}null::ubigint{% endif %} as key_hash
from (
    select _run_id, _row_seq, _ingested_at, {{ row_key(table) }} as row_key
    {%- if table.filters or table.masks %}
    from ({{ landed_rows(table.name, reach, bounds) }})
    where not {{ is_hidden(table) }}
    {%- else %}
    from ({{ landed_rows(table.name, {'published': false, 'lake': true}, bounds) }})
    {%- if reach.published %} where _ingested_at > make_timestamp_ns({{ bounds.after }}){% endif %}
    {%- endif %}
)
{%- endmacro -%}

{#- A row's key as text that no other key of the table gives. -#}
{%- macro row_key(table) -%}
{%- if not table.key or readable_key(table) == '[]' -%}
null::varchar
{%- else -%}
{%- for column in table.key -%}
{%- if not loop.first %} || {% endif -%}
strlen("{{ column }}"::varchar) || ':' || "{{ column }}"::varchar
{%- endfor -%}
{%- endif -%}
{%- endmacro -%}
