"""Figures of the supersession window, against a single lead() over the same rows in the same connection."""

import statistics
import time

import duckdb
from workshop import Workshop

from contextful_cli import session

REPEATS = 5
# Both write every column of every claim, as the batch model does.
LEAD = """
create or replace temp table windowed as
select *, lead(valid_from) over (
    partition by subject, predicate, scope order by _ingested_at, _run_id, _row_seq
) as ends_at
from {relation}
"""
WINDOW = "create or replace temp table windowed as from recall.claim_windows('facts')"


def seconds(con: duckdb.DuckDBPyConnection, sql: str) -> float:
    """Median seconds of a statement after one run not counted."""
    con.execute(sql).fetchall()
    return statistics.median(_once(con, sql) for _ in range(REPEATS))


def _once(con: duckdb.DuckDBPyConnection, sql: str) -> float:
    begun = time.perf_counter()
    con.execute(sql).fetchall()
    return time.perf_counter() - begun


def all_claims(shop: Workshop) -> tuple[float, float]:
    """Every claim of the home, as a batch model reads them."""
    con = session.open_session(shop.caller, shaped=["facts"])
    session.load_functions(con, shop.home, "claim_windows")
    return seconds(con, WINDOW), seconds(con, LEAD.format(relation="session.all_memory_facts"))


def one_line(shop: Workshop, claims: int = 20_000) -> float:
    """Seconds for claims that all stand on one line, told in order: each replaced by the next."""
    con = session.open_session(shop.caller, shaped=["facts"])
    con.execute(
        f"""create or replace table one_line as
        select * replace (
            'one line' as subject, 'p' as predicate, i as _row_seq,
            timestamptz '2020-01-01' + to_seconds(i) as valid_from
        ),
        from (select *, row_number() over () as i from session.all_memory_facts limit {claims})"""
    )
    con.execute("create or replace view session.all_memory_facts as from one_line")
    session.load_functions(con, shop.home, "claim_windows")
    return seconds(con, WINDOW)
