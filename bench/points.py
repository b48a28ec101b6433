"""Figures of keyed recall in a warm process."""

import statistics
import time
from collections.abc import Callable

import duckdb
from workshop import Workshop

from contextful_cli import lake
from contextful_cli.reader import Reader

REPEATS = 40
COLUMNS = "* exclude (valid_from, valid_to, available_at, _ingested_at)"  # instants leave DuckDB as text elsewhere
BARE = f"select {COLUMNS} from session.all_memory_facts where _table = 'facts' and subject = ?"
RECALL = "from recall.recall_claims('facts', ?, '2100-01-01T00:00:00Z')"


def land_events(shop: Workshop, rows: int) -> None:
    """Unkeyed source rows 0 … rows - 1 under the run `seed`."""
    con = lake.open_lake(shop.home, read_only=False)
    with lake.commit(con, shop.home, "bench") as work:
        work.touch("events")
        con.execute(
            "insert into landing.main.events by name select i as id, 'note ' || i as note, 'seed' as _run_id, "
            "i as _row_seq, make_timestamp_ns(?) as _ingested_at from range(?) as t(i)",
            [work.stamp * 1000, rows],
        )
    con.close()


def warm_recall(shop: Workshop, claims: int) -> tuple[float, float]:
    """p50 seconds of a recall with its gate, and of a bare select of the subject's claims, in one session."""
    con = Reader(shop.caller).session(("facts",), "recall_claims")
    return median(lambda subject: con.execute(RECALL, [subject]), claims), median(
        lambda subject: con.execute(BARE, [subject]), claims
    )


def prepared_recall(shop: Workshop, claims: int) -> float:
    """p50 seconds of the same recall as a prepared statement."""
    con = Reader(shop.caller).session(("facts",), "recall_claims")
    con.execute(f"prepare recalled as {RECALL}")
    return median(lambda subject: con.execute(f"execute recalled('{subject}')"), claims)


def median(ask: Callable[[str], duckdb.DuckDBPyConnection], claims: int) -> float:
    """Median seconds over subjects spread over all, after some not counted."""
    subjects = [f"s{number * 7919 % max(claims // 10, 1)}" for number in range(REPEATS + 5)]
    return statistics.median([_once(ask, subject) for subject in subjects][5:])


def _once(ask: Callable[[str], duckdb.DuckDBPyConnection], subject: str) -> float:
    begun = time.perf_counter()
    ask(subject).fetchall()
    return time.perf_counter() - begun
