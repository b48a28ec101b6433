"""One claims table to write into, and what its windows then say: the hands of the tests of writing."""

import json
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from contextful_cli import declaration, instants, land, revise, session
from contextful_cli.batches.report import Report
from contextful_cli.caller import local_operator
from contextful_cli.errors import ContextfulError
from contextful_cli.revision import closing
from contextful_cli.revision.writer import Outcome, Provenance, Writer
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


def by(tier: str) -> Provenance:
    """Written by the local operator."""
    return Provenance.of(local_operator(None, []).credential, tier)


class Facts:
    """A claims table, open for writing; `subject` is whom its claims are about, unless told otherwise."""

    def __init__(self, home: Home, tables: list[Table], table: str = "facts") -> None:
        self.home, self.tables, self.table, self.subject = home, tables, table, "orion"
        self.caller = local_operator(home, tables)
        self.writer = Writer(self.caller, revise.claims_table(self.caller, table))
        self.con = closing.open_session(self.caller, self.writer.table)

    def close(self) -> None:
        self.con.close()
        self.writer.close()

    def claim(self, **given: Any) -> str:
        """A claim about the subject, as JSON."""
        return claim(**{"subject": self.subject} | given)

    def line(self, at: str | None = None, until: str | None = None, key: str | None = None, **given: Any) -> str:
        """A line of a file, about the subject."""
        return line(observed_at=at, valid_until=until, dedup_key=key, **{"subject": self.subject} | given)

    def write(self, at: str | None = None, tier: str = "curated", **given: Any) -> Outcome:
        """One write; `until` and `key` beside the claim's own members."""
        until, key = given.pop("until", None), given.pop("key", None)
        return revise.write_with(self.writer, revise.Claim(self.claim(**given), at, until, key), by(tier))

    def refusal(self, at: str | None = None, tier: str = "curated", **given: Any) -> str:
        """The identifier that the write is refused with."""
        with pytest.raises(ContextfulError) as refused:
            self.write(at, tier, **given)
        return refused.value.identifier

    def batch(self, *lines: str, tier: str = "curated") -> Report:
        """Lines of a file, in one commit."""
        self.writer.stage(list(lines))
        return self.writer.write(by(tier), is_batch=True)

    def end(self, claim_id: str, at: str | None = None, valid_from: str | None = None, reason: str = "expired") -> str:
        """Expire at an instant, else retract; gives the start of what was ended, or the refusal's identifier."""
        closed_at = None if at is None else instants.stored("at", at)
        start = None if valid_from is None else instants.stored("valid_from", valid_from)
        ending = closing.Ending(claim_id, reason, closed_at, start)
        try:
            return closing.end_in(self.con, self.caller, self.writer.table, ending)["valid_from"]
        except ContextfulError as error:
            return error.identifier

    def windows(self) -> list[tuple[str, str, str | None, str | None]]:
        """(object, valid_from, valid_to, object of the successor) by start, then object: what holds when."""
        return self.rows(
            """with windows as (from recall.claim_windows($1, $2))
               select distinct w.object, strftime(w.valid_from, '%Y-%m-%dT%H:%M:%S.%fZ'),
                   strftime(w.valid_to, '%Y-%m-%dT%H:%M:%S.%fZ'), s.object
               from windows as w left join windows as s on w.superseded_by = s.claim_id order by 2, 1""",
            [self.table, self.subject],
        )

    def stored(self, columns: str) -> list[tuple]:
        """Columns of what is stored about the subject, in the order of commits."""
        order = "order by _ingested_at, _row_seq"
        return self.rows(f"select {columns} from session.all_memory_facts where subject = $1 {order}", [self.subject])

    def closures(self) -> list[tuple]:
        """(claim_id, valid_from, closed_at in µs, reason) of the subject's claims."""
        return self.rows(
            """select claim_id, epoch_us(valid_from), epoch_us(closed_at), reason from session.all_closures
               where claim_id in (select claim_id from session.all_memory_facts where subject = $1)
               order by _ingested_at, _row_seq""",
            [self.subject],
        )

    def letters(self) -> list[tuple]:
        """(stage, reason, detail, letter_id) of letters that name a claim of the subject."""
        return self.rows(
            """select stage, reason, detail, letter_id from session.all_letters
               where exists (
                   from session.all_memory_facts where subject = $1 and contains(detail, claim_id)
               )""",
            [self.subject],
        )

    def rows(self, query: str, parameters: list[Any] | None = None) -> list[tuple]:
        """A query over the session."""
        return self.con.execute(query, parameters).fetchall()

    def land(self, table: str, run: str, *rows: dict[str, Any]) -> None:
        """Source rows, in one run."""
        file = self.home.root / f"{table}-{run}.jsonl"
        file.write_text("".join(json.dumps(row) + "\n" for row in rows))
        land.land(self.caller, land.Request(table=table, source=str(file), run_id=run))


@contextmanager
def opened(home: Home, tables: list[Table], table: str = "facts") -> Iterator[Facts]:
    """The table, closed after the block."""
    facts = Facts(home, tables, table)
    session.load_functions(facts.con, home, "claim_windows")
    try:
        yield facts
    finally:
        facts.close()


@contextmanager
def fresh(compiled: Home, root: Path, table: str = "facts") -> Iterator[Facts]:
    """The table in a home of its own, for all tests of a module."""
    shutil.copytree(compiled.root, root, ignore=shutil.ignore_patterns("published", "dbt", "warehouse.duckdb*"))
    home = Home(project=compiled.project, root=root)
    home.published.mkdir()
    with opened(home, declaration.load(home.project), table) as facts:
        yield facts
