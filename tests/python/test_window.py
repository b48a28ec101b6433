"""The compiled window against the plain reference, over random histories; and how it grows on long lines."""

import time
from collections.abc import Callable, Iterator, Sequence

import duckdb
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from reference import Interval, Store
from reference.histories import BASE, SECOND, Operation, RawHistory, histories, raw_histories, replay

from contextful_cli import duck, session
from contextful_cli.settings import Home

FACTS = """
create schema session;
create table session.all_memory_facts (
    _table varchar, claim_id varchar, subject varchar, predicate varchar, "object" varchar, "scope" varchar,
    tier varchar, confidence double, valid_from timestamptz, valid_to timestamptz,
    evidence struct("table" varchar, run varchar, seq bigint, key_digest varchar)[], superseded_by varchar,
    grant_id varchar, agent varchar, available_at timestamptz, has_availability boolean default false,
    _ingested_at timestamp_ns, _run_id varchar, _row_seq bigint, _site_id varchar, _batch_seq bigint,
    _authored_by varchar, _taint varchar, is_hidden boolean default false
);
create table session.all_closures (
    _table varchar, claim_id varchar, valid_from timestamptz, closed_at timestamptz, reason varchar,
    _ingested_at timestamp_ns, _run_id varchar, _row_seq bigint
)
"""
VERSION_COLUMNS = (
    '_table, claim_id, subject, predicate, "object", "scope", tier, valid_from, valid_to, '
    "_ingested_at, _run_id, _row_seq, available_at, has_availability"
)
VERSION_VALUES = (
    "'facts', ?, ?, ?, ?, ?, ?, make_timestamptz(?), make_timestamptz(?), make_timestamp_ns(?), ?, ?, "
    "make_timestamptz(?), ?"
)
CLOSURE_VALUES = "'facts', ?, make_timestamptz(?), make_timestamptz(?), ?, make_timestamp_ns(?), ?, ?"
LINE_LENGTH = 20_000

Row = tuple[str, int, int | None, str | None, int | None]
"""claim_id, valid_from, valid_to, superseded_by, the successor's valid_from"""


@pytest.fixture(scope="module")
def con(compiled: Home) -> Iterator[duckdb.DuckDBPyConnection]:
    """The compiled window over in-memory tables in the session's place."""
    con = duck.connect()
    con.execute("attach ':memory:' as warehouse; use warehouse; set threads = 1")
    con.execute(FACTS)
    session.load_functions(con, compiled, "claim_windows")
    yield con
    con.close()


def place(con: duckdb.DuckDBPyConnection, store: Store, available: bool = False) -> None:
    """Put a store's rows in the session. available: every version became available at its stamp, and says so."""
    con.execute("truncate session.all_memory_facts; truncate session.all_closures")
    for v in store.versions:
        values = [v.claim_id, v.subject, v.predicate, v.object, v.scope, v.tier, v.valid_from, v.valid_to]
        values += [v.order[0] * 1000, v.order[1], v.order[2], v.order[0] if available else None, available]
        con.execute(f"insert into session.all_memory_facts ({VERSION_COLUMNS}) values ({VERSION_VALUES})", values)
    for c in store.closures:
        values = [c.claim_id, c.valid_from, c.closed_at, c.reason, c.order[0] * 1000, *c.order[1:]]
        con.execute(f"insert into session.all_closures values ({CLOSURE_VALUES})", values)


def windows(
    con: duckdb.DuckDBPyConnection, subject: str | None = None, as_of: int | None = None, available: int | None = None
) -> list[Row]:
    """The window as the compiled function gives it; bounds in microseconds."""
    return con.execute(
        "select claim_id, epoch_us(valid_from), epoch_us(valid_to), superseded_by, epoch_us(superseded_by_valid_from) "
        "from recall.claim_windows('facts', $1, make_timestamp_ns($2), make_timestamptz($3)) order by 1, 2",
        [subject, None if as_of is None else as_of * 1000, available],
    ).fetchall()


def expected(intervals: Sequence[Interval]) -> list[Row]:
    """The window as the reference gives it."""
    return [
        (p.claim_id, p.valid_from, p.valid_to, p.superseded_by, p.successor[1] if p.successor else None)
        for p in intervals
    ]


BOUNDS = st.sampled_from([None, None, *(BASE + n * SECOND // 2 for n in range(9))])
many = settings(max_examples=150, deadline=None)


@pytest.mark.rule("revise.supersede", "revise.tier", "revise.unscoped-collision", "revise.retention-default")
@many
@given(raw=raw_histories(), as_of=BOUNDS)
def test_the_window_of_any_rows_is_the_references(con: duckdb.DuckDBPyConnection, raw: RawHistory, as_of: int | None):
    store = raw.store()
    place(con, store)
    assert windows(con, as_of=as_of) == expected(store.window(as_of))


@pytest.mark.rule("revise.supersede", "revise.retention-default", "recall.keyed-clocks")
@many
@given(operations=histories(), as_of=BOUNDS)
def test_the_window_of_any_writes_is_the_references(
    con: duckdb.DuckDBPyConnection, operations: list[Operation], as_of: int | None
):
    store = Store()
    replay(store, operations)
    place(con, store)
    assert windows(con, as_of=as_of) == expected(store.window(as_of))
    one = [p for p in store.window(as_of) if p.subject == "orion"]
    assert windows(con, "orion", as_of) == expected(one)


@pytest.mark.rule("declare.availability")
@settings(many, max_examples=40)
@given(raw=raw_histories(), available=BOUNDS)
def test_the_available_bound_keeps_earlier_vintages(
    con: duckdb.DuckDBPyConnection, raw: RawHistory, available: int | None
):
    store = Store([*raw.versions])
    place(con, store, available=True)
    assert windows(con, available=available) == expected(store.window(available))
    place(con, store)
    assert windows(con, available=available) == expected(store.window()), "a table without the column is not bounded"


# One line of many claims; `n` is the claim's number in order of arrival. Each is (valid_from, valid_to, tier, expiry).
START = "timestamptz '2000-01-01' + to_seconds(2 * n)"
LONG_LINES = {
    "in order": (START, "null", "'curated'", "null"),
    "expired before the next": (START, "null", "'curated'", "valid_from + interval 1 second"),
    "expired after the next": (START, "null", "'curated'", "valid_from + interval 3 seconds"),
    "bounded": (START, f"{START} + interval 1 second", "'curated'", "null"),
    "tiers in turn": (START, "null", "['researched', 'curated', 'derived'][1 + n % 3]", "null"),
    "colliding pairs": ("timestamptz '2000-01-01' + to_seconds(n // 2)", "null", "'curated'", "null"),
}


@pytest.mark.parametrize("line", LONG_LINES)
def test_one_long_line_costs_a_few_times_one_lead(con: duckdb.DuckDBPyConnection, line: str):
    """A self-join over the line would take more than a hundred times as long."""
    place_long_line(con, *LONG_LINES[line])
    lead = fastest(
        con,
        "select *, lead(valid_from) over (partition by subject, predicate, scope "
        "order by _ingested_at, _run_id, _row_seq) from session.all_memory_facts",
    )
    assert fastest(con, "select * from recall.claim_windows('facts')") < 25 * lead


def place_long_line(con: duckdb.DuckDBPyConnection, valid_from: str, valid_to: str, tier: str, expiry: str) -> None:
    """LINE_LENGTH claims on one line, each in a commit of its own, expired a commit later where an expiry is given."""
    con.execute("truncate session.all_memory_facts; truncate session.all_closures")
    con.execute(f"""
        insert into session.all_memory_facts ({VERSION_COLUMNS})
        select 'facts', 'c-' || n, 'orion', 'lead', 'o' || n, null, {tier}, {valid_from}, {valid_to},
            make_timestamp_ns({BASE} * 1000 + n * 1000000), 'r' || n, 0, null, false
        from range({LINE_LENGTH}) as numbers(n);
        insert into session.all_closures
        select _table, claim_id, valid_from, {expiry}, 'ended', _ingested_at + interval 1 second, 'r', 0
        from session.all_memory_facts where {expiry} is not null
    """)


def fastest(con: duckdb.DuckDBPyConnection, query: str) -> float:
    """Seconds of CPU, the best of three, of a query whose result is kept."""
    return min(timed(lambda: con.execute(f"create or replace temp table kept as {query}")) for _ in range(3))


def timed(call: Callable[[], object]) -> float:
    started = time.process_time()
    call()
    return time.process_time() - started
