{#-
    The `pending` schema: where a write's lines stand while they are decided. Laid empty, so that the functions of
    revise/ bind; a write fills the tables step by step. In memory, private to the connection, gone with it.
-#}
{%- macro session_pending(tables, reaches, bounds) -%}
drop schema if exists pending cascade;
create schema pending;
-- The commit at hand, one row: its stamp (µs), its run, how far apart lines without an own instant stand (µs), and what
-- its claims record of how they were written.
create table pending.this_commit (
    stamp bigint, run varchar, lines_apart bigint, tier varchar, grant_id varchar, agent varchar, author varchar,
    taint varchar
);
-- The lines as they came; line_number counts from 1 within the commit.
create table pending.raw (line_number bigint, line varchar);
-- The lines parsed: a sound one has its claim_id, one at fault an identifier and a message.
create table pending.lines (
    line_number bigint, subject varchar, predicate varchar, "object" varchar, "scope" varchar, confidence double,
    evidence struct("table" varchar, run varchar, seq bigint, key_digest varchar)[],
    observed_at timestamptz, valid_until timestamptz, dedup_key varchar, available_at timestamptz,
    claim_id varchar, identifier varchar, message varchar
);
-- Each (subject, predicate, scope) that the lines name, as a number: lines of different tracks never meet.
create table pending.tracks (track bigint, subject varchar, predicate varchar, "scope" varchar);
-- The claims tables in the published copy with its stamp (ns), their versions there, and what landed in one since, kept
-- by a writer from write to write (contextful_cli/revision/tail).
create table pending.copied_tables (_table varchar, stamp bigint);
create table pending.tail (
    subject varchar, predicate varchar, "scope" varchar, claim_id varchar, "object" varchar, tier varchar,
    valid_from timestamptz, valid_to timestamptz, _ingested_at timestamp_ns, _run_id varchar, _row_seq bigint
);
create view pending.copied as
select '' as _table, * from pending.tail where false
{%- for table in tables if table.shape == 'memory_facts' and reaches[table.name].published %}
union all by name
select
    '{{ table.name }}' as _table, subject, predicate, "scope", claim_id, "object", tier, valid_from, valid_to,
    _ingested_at, _run_id, _row_seq
from published.landing."{{ table.name }}"
{%- endfor %};
{%- for table in tables if table.shape == 'memory_facts' and reaches[table.name].published %}
insert into pending.copied_tables values ('{{ table.name }}', {{ bounds.after }});
{%- endfor %}
-- What is stored on those tracks, and what this commit adds.
create table pending.versions (
    track bigint, claim_id varchar, "object" varchar, "scope" varchar, tier varchar,
    valid_from timestamptz, valid_to timestamptz, _ingested_at timestamp_ns, _run_id varchar, _row_seq bigint
);
create table pending.closures (
    claim_id varchar, valid_from timestamptz, closed_at timestamptz, reason varchar,
    _ingested_at timestamp_ns, _run_id varchar, _row_seq bigint
);
-- The citations of keyed tables, and of those whose row is there: its key, and whether a later version has replaced it.
create table pending.cited (
    item bigint, ordinal bigint, "table" varchar, run varchar, seq bigint, ref_hash ubigint
);
create table pending.cited_keys (line_number bigint, ordinal bigint, row_key varchar, is_replaced boolean);
create table pending.undecided (
    line_number bigint, track bigint, claim_id varchar, "object" varchar, "scope" varchar, is_keyed boolean,
    valid_from timestamptz, valid_until timestamptz, replaced_citation varchar
);
-- Rounds: the tracks still at hand, their windows now and a round before, and what the round has decided.
create table pending.open_tracks (track bigint);
create table pending.states (
    track bigint, claim_id varchar, "object" varchar, "scope" varchar, tier varchar, tier_rank integer,
    valid_from timestamptz, valid_to timestamptz, is_open boolean, expired_at timestamptz,
    superseded_by varchar, superseded_from timestamptz, is_in_unresolved_pair boolean
);
create table pending.earlier_states as from pending.states;
create table pending.chained (
    line_number bigint, track bigint, outcome varchar, valid_from timestamptz, retired bigint,
    identifier varchar, message varchar, closes timestamptz[], collides_with varchar[]
);
create table pending.ruled as from pending.chained;
create table pending.decided as from pending.chained;
{{ session_pending_settlement() }}
{%- endmacro -%}
