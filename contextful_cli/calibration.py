"""Calibration: how often the claims of a table came true, against how sure they were.

The rules are SQL, in models/calibrate and macros/calibration; here are windows and saved reports.
"""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from contextful_cli import clock as clocks
from contextful_cli import declaration, duck, instants, lake, layout, quiet, session
from contextful_cli.errors import ContextfulError
from contextful_cli.recall import claims_table

if TYPE_CHECKING:
    import duckdb

    from contextful_cli.caller import Caller
    from contextful_cli.instants import Bound
    from contextful_cli.settings import Home
    from contextful_cli.tables import Table

SAVED = "calibration_reports"
STATES = ("settled", "open", "overdue", "annulled", "unlabelled")


@dataclass(frozen=True, slots=True)
class Window:
    """Which outcomes a report looks at, by when they were observed; None: open on that side."""

    since: "Bound | None" = None
    until: "Bound | None" = None

    @property
    def instants(self) -> tuple[str | None, str | None]:
        """Both ends, inclusive, as texts that DuckDB casts to TIMESTAMPTZ."""
        return self.since and _first_us(self.since), self.until and self.until.timestamptz()

    def echo(self) -> dict[str, Any]:
        """How the report names it: nine digits, and whether each given end is inclusive."""
        given = {"since": self.since, "until": self.until}
        inclusive = {name: bound.is_inclusive for name, bound in given.items() if bound}
        return {name: bound and bound.text for name, bound in given.items()} | {"inclusive": inclusive}


def _first_us(since: "Bound") -> str:
    """The first whole µs within a lower bound: stored instants lie on that grid."""
    return instants.format_us(-(-since.ns // instants.US_NS))


def window(home: "Home", since: str | None, until: str | None, *, ends_today: bool = False) -> Window:
    """The window between two bounds as their caller wrote them; a date's `until` is the end of its day in UTC.

    ends_today: an absent `until` is today: a report saved again that day takes the first one's place.
    Raises InstantMalformed, ArgumentMalformed.
    """
    if until is None and ends_today:
        until = instants.format_us(clocks.read(home).now())[:10]
    made = Window(
        instants.since("since", since) if since is not None else None,
        instants.valid_bound("until", until) if until is not None else None,
    )
    if made.since and made.until and made.since.ns > made.until.ns:
        raise ContextfulError("ArgumentMalformed", f"since {made.since.text} is after until {made.until.text}")
    return made


def labelled_table(tables: "list[Table]", name: str) -> "Table":
    """The claims table of that name, which must say what labels it.

    Raises EnforceUnknownRelation, MemoryRecallNotClaims, ArgumentMalformed.
    """
    table = claims_table(tables, name)
    outcomes = declaration.find(tables, table.labels or "")
    if outcomes is None:
        message = f"nothing settles {name}: declare `labels: <outcomes table>` in its config.meta.contextful"
        raise ContextfulError("ArgumentMalformed", message)
    if outcomes.predictions is None:
        message = f"{outcomes.name} settles nothing: declare `predictions: <predictions table>` in the same place"
        raise ContextfulError("ArgumentMalformed", message)
    return table


def report(caller: "Caller", name: str, asked: Window) -> dict[str, Any]:
    """The report: {table, window, joined, predictions: {state: count}, groups: [scores, bins, map]}.

    joined: settled predictions that belong to a claim of the table. A score that nothing can be said of is None.
    """
    # rule: settle.calibration-verb
    table = labelled_table(caller.readable, name)
    now = instants.format_us(clocks.read(caller.home).now())
    with _opened(caller, table, "calibration_report") as con, quiet.reading(caller.home):
        arguments = [table.name, *asked.instants, now]
        rows = duck.records(con.execute("from calibrate.calibration_report($1, $2, $3, $4)", arguments))
    counts = {state: rows[0][state] for state in STATES}
    left_out = {*STATES, "joined"}
    groups = [{key: value for key, value in row.items() if key not in left_out} for row in rows if row["samples"]]
    return {
        "table": table.name,
        "window": asked.echo(),
        "joined": rows[0]["joined"],
        "predictions": counts,
        "groups": groups,
    }


def trend(caller: "Caller", name: str) -> list[dict[str, Any]]:
    """The saved reports of a claims table, the newest of each window, by its end: {since, until, saved_at, report}.

    None to a caller who sees only a part of what they tell of.
    """
    table = labelled_table(caller.readable, name)
    if not _sees_whole(caller, table):
        return []
    with _opened(caller, table, "saved_reports") as con:
        return [row | {"report": json.loads(row["report"])} for row in _saved(con, table)]


def save(caller: "Caller", asked: Window, made: dict[str, Any]) -> bool:
    """Append a report to the lake, unless the newest of its window says the same. Returns whether it was stored."""
    table = labelled_table(caller.readable, made["table"])
    if not _sees_whole(caller, table) or not caller.rights.may("write", table.name):
        raise ContextfulError(
            "GrantWriteNotCovered", f"no right to write {table.name} as a whole; the report is not kept"
        )
    text = json.dumps(made, sort_keys=True, ensure_ascii=False, allow_nan=False)
    with (
        _opened(caller, table, "saved_reports", writer=True) as con,
        lake.commit(con, caller.home, "memory calibration") as work,
    ):
        if any((row["since"], row["until"], row["report"]) == (*asked.instants, text) for row in _saved(con, table)):
            return False
        work.touch(SAVED)
        con.execute(
            f"""insert into landing.main.{SAVED} by name select
                $1 as claims_table, $2::timestamptz as since, $3::timestamptz as "until", $4 as report,
                make_timestamp_ns($5) as _ingested_at, $6 as _run_id, 0 as _row_seq,
                $7 as _authored_by""",
            [
                table.name,
                *asked.instants,
                text,
                work.stamp * instants.US_NS,
                f"calibration-{work.stamp}",
                caller.credential.on_behalf_of,
            ],
        )
    return True


def worst(made: dict[str, Any]) -> tuple[float, dict[str, Any]] | None:
    """The highest calibration error of a group that is not small, and the group; None where all are.

    Of a group whose map is validated the error counts as served: mapped, on the held-out forecasts.
    """
    errors = [
        (group["mapped_ece"] if group["is_validated"] else group["ece"], group)
        for group in made["groups"]
        if not group["is_small"]
    ]
    return max(errors, key=lambda one: one[0], default=None)


def _sees_whole(caller: "Caller", table: "Table") -> bool:
    """Whether the caller sees every row of the claims, of what labels them and of what that settles."""
    outcomes = declaration.find(caller.readable, table.labels)
    return all(caller.rights.sees_whole(name) for name in (table.name, outcomes.name, outcomes.predictions))


@contextmanager
def _opened(
    caller: "Caller", table: "Table", *functions: str, writer: bool = False
) -> "Iterator[duckdb.DuckDBPyConnection]":
    """A session that reaches the table, what settles it and the saved reports, with these functions loaded."""
    layout.lay_tables(caller.home, caller.tables)  # a table declared a moment ago is an empty one
    outcomes = declaration.find(caller.readable, table.labels)
    shaped = (table.name, outcomes.name, outcomes.predictions)
    con = session.open_session(caller, shaped=shaped, views=[SAVED], writer=writer)
    try:
        session.load_functions(con, caller.home, *functions)
        yield con
    finally:
        con.close()


def _saved(con: "duckdb.DuckDBPyConnection", table: "Table") -> list[dict[str, Any]]:
    return duck.records(con.execute("from calibrate.saved_reports($1)", [table.name]))
