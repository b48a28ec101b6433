"""One claims table to write into, and what its windows then say: the hands of the tests of writing."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from contextful_cli import instants, land, revise, session
from contextful_cli.errors import ContextfulError
from contextful_cli.revision import closing
from contextful_cli.revision.writer import Outcome, Provenance, Report, Writer
from contextful_cli.settings import Home
from contextful_cli.tables import Table

CLAIM = {"subject": "orion", "predicate": "lead", "object": "Mira", "confidence": 0.9, "evidence": []}


def day(number: int) -> str:
    """That day of January 2020, its midnight."""
    return f"2020-01-{number:02d}T00:00:00Z"


def told(instant: str | None) -> str | None:
    """An instant as answers write it."""
    return None if instant is None else instants.format_us(instants.stored("told", instant))


def claim(**given: Any) -> str:
    """A claim as JSON: Mira leads orion, unless told otherwise."""
    return json.dumps(CLAIM | given)


def line(
    *, observed_at: str | None = None, valid_until: str | None = None, dedup_key: str | None = None, **given
) -> str:
    """A line of a file."""
    beside = {"observed_at": observed_at, "valid_until": valid_until, "dedup_key": dedup_key}
    return json.dumps({"claim": CLAIM | given} | {name: value for name, value in beside.items() if value is not None})


class Facts:
    """A claims table, open for writing."""

    def __init__(self, home: Home, tables: list[Table], table: str) -> None:
        self.home, self.tables, self.table = home, tables, table
        self.writer = Writer(home, tables, revise.claims_table(tables, table))

    def write(self, at: str | None = None, tier: str = "curated", **given: Any) -> Outcome:
        """One write; `until` and `key` beside the claim's own members."""
        until, key = given.pop("until", None), given.pop("key", None)
        return revise.write_with(self.writer, revise.Claim(claim(**given), at, until, key), Provenance(tier))

    def refusal(self, at: str | None = None, tier: str = "curated", **given: Any) -> str:
        """The identifier that the write is refused with."""
        try:
            outcome = self.write(at, tier, **given)
        except ContextfulError as error:
            return error.identifier
        raise AssertionError(f"not refused: {outcome}")

    def batch(self, *lines: str, tier: str = "curated") -> Report:
        """Lines of a file, in one commit."""
        self.writer.stage(list(lines))
        return self.writer.write(Provenance(tier), is_batch=True)

    def end(self, claim_id: str, at: str | None = None, valid_from: str | None = None, reason: str = "expired") -> str:
        """Expire at an instant, else retract; gives the start of what was ended, or the refusal's identifier."""
        closed_at = None if at is None else instants.stored("at", at)
        start = None if valid_from is None else instants.stored("valid_from", valid_from)
        ending = closing.Ending(claim_id, reason, closed_at, start)
        try:
            return closing.end_in(self.writer.con, self.home, self.writer.table, ending)["valid_from"]
        except ContextfulError as error:
            return error.identifier

    def windows(self, subject: str = "orion") -> list[tuple[str, str, str | None, str | None]]:
        """(object, valid_from, valid_to, object of the successor) by start, then object: what holds when."""
        con = session.open_session(self.home, self.tables, claims=[self.table])
        session.load_functions(con, self.home, "claim_windows")
        rows = con.execute(
            """with windows as (from recall.claim_windows($1, $2))
               select distinct w.object, strftime(w.valid_from, '%Y-%m-%dT%H:%M:%S.%fZ'),
                   strftime(w.valid_to, '%Y-%m-%dT%H:%M:%S.%fZ'), s.object
               from windows as w left join windows as s on w.superseded_by = s.claim_id order by 2, 1""",
            [self.table, subject],
        ).fetchall()
        con.close()
        return rows

    def rows(self, query: str) -> list[tuple]:
        """A query over the session."""
        return self.writer.con.execute(query).fetchall()

    def land(self, table: str, run: str, *rows: dict[str, Any]) -> None:
        """Source rows, in one run."""
        file = self.home.root / f"{table}-{run}.jsonl"
        file.write_text("".join(json.dumps(row) + "\n" for row in rows))
        land.land(self.home, self.tables, land.Request(table=table, source=str(file), run_id=run))


@contextmanager
def opened(home: Home, tables: list[Table], table: str = "facts") -> Iterator[Facts]:
    """The table, closed after the block."""
    facts = Facts(home, tables, table)
    with facts.writer:
        yield facts
