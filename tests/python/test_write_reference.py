"""Writes against the independent reference: random histories, decided line by line alike, and the same windows after.

Histories on different subjects never meet, so many run at once: step k of each goes into one batch a tier. What the
strategies draw is collected first and then written together, which a lake of its own for each would make minutes of.
"""

import json
import os
from collections.abc import Iterator
from dataclasses import dataclass, field, replace

import pytest
from hypothesis import HealthCheck, Phase, given, seed, settings
from reference import Decision, Line, Store
from reference.histories import Expire, Operation, Retract, WriteBatch, WriteOne, histories
from writing import by

from contextful_cli import instants, land, revise, session
from contextful_cli.caller import local_operator
from contextful_cli.errors import ContextfulError
from contextful_cli.revision import closing
from contextful_cli.revision.writer import Writer
from contextful_cli.settings import Home
from contextful_cli.tables import Table

TABLE = "facts"
REPLACED = {"table": "people", "run": "first", "seq": 0}
HISTORIES = int(os.environ.get("CONTEXTFUL_HISTORIES", "40"))
SEED = int(os.environ.get("CONTEXTFUL_SEED", "0"))
ONE_BY_ONE = 8


@dataclass
class Played:
    """A history under subjects of its own, and the reference that follows it."""

    number: int
    operations: list[Operation]
    store: Store = field(default_factory=Store)

    def line(self, line: Line) -> Line:
        return replace(line, subject=f"{line.subject} {self.number}")

    def id_of(self, stored: str) -> str:
        """The id of a claim of the drawn history, under this one's subjects."""
        return {line.claim_id: self.line(line).claim_id for line in _lines(self.operations)}.get(stored, stored)


def _lines(operations: list[Operation]) -> Iterator[Line]:
    for operation in operations:
        yield from [operation.line] if isinstance(operation, WriteOne) else getattr(operation, "lines", ())


def _text(us: int | None) -> str | None:
    return None if us is None else instants.format_us(us)


def as_json(line: Line) -> str:
    """A line of the reference as a line of a file."""
    claim = {
        "subject": line.subject,
        "predicate": line.predicate,
        "object": line.object,
        "scope": line.scope,
        "confidence": 0.5,
        "evidence": [REPLACED] if line.has_replaced_citation else [],
    }
    beside = {
        "observed_at": _text(line.observed_at),
        "valid_until": _text(line.valid_until),
        "dedup_key": line.dedup_key,
    }
    return json.dumps({"claim": claim, **{name: value for name, value in beside.items() if value is not None}})


@pytest.fixture
def writer(home: Home, tables: list[Table]) -> Iterator[Writer]:
    """A writer on a lake in which one row of a keyed table has been replaced."""
    for run in ("first", "second"):
        file = home.root / "people.jsonl"
        file.write_text('{"id": "1", "name": "Ann", "born": "1990-01-01"}\n')
        land.land(local_operator(home, tables), land.Request(table="people", source=str(file), run_id=run))
    with Writer(local_operator(home, tables), revise.claims_table(local_operator(home, tables), TABLE)) as opened:
        yield opened


@pytest.fixture(scope="module")
def drawn() -> list[list[Operation]]:
    """The histories that hypothesis draws."""
    found: list[list[Operation]] = []

    @seed(SEED)
    @settings(
        max_examples=HISTORIES,
        database=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(histories())
    def collect(operations: list[Operation]) -> None:
        found.append(operations)

    collect()
    return found


def compare(played: Played, told: str, expected: list[Decision], found: list[tuple]) -> None:
    """Each line's outcome, claim_id, where it landed, and what it was refused for."""
    wanted = [
        (
            "landed" if decision.landed else decision.kind,
            decision.claim_id,
            _text(decision.valid_from) if decision.landed else None,
            decision.identifier,
        )
        for decision in expected
    ]
    assert found == wanted, f"{told}\n{played.operations}"


def write_step(writer: Writer, tier: str, writes: list[tuple[Played, list[Line]]]) -> None:
    """One commit with lines of many histories, and the same lines to each one's reference."""
    lines = [line for _, each in writes for line in each]
    writer.stage([as_json(line) for line in lines])
    report = writer.write(by(tier), is_batch=True)
    (stamp,) = writer.staging.rows("select stamp from pending.this_commit")[0]
    found = writer.staging.rows(
        """select d.outcome, l.claim_id,
               case when d.outcome = 'landed' then strftime(d.valid_from, '%Y-%m-%dT%H:%M:%S.%fZ') end, d.identifier
           from pending.decided as d join pending.lines as l using (line_number) order by line_number"""
    )
    retired, number = 0, 0
    for played, each in writes:
        own = [replace(line, observed_at=line.observed_at or stamp + number + n + 1) for n, line in enumerate(each)]
        expected = played.store.write_batch(own, stamp, tier)
        compare(played, f"{tier} {each}", expected, found[number : number + len(each)])
        retired += sum(decision.retired for decision in expected)
        number += len(each)
    assert report.retired == retired
    assert report.landed == sum(row[0] == "landed" for row in found)


def close_step(writer: Writer, con, played: Played, operation: Expire | Retract) -> None:
    """One closure, or its refusal, in both."""
    claim = played.id_of(operation.claim_id)
    at = getattr(operation, "at", None)
    ending = closing.Ending(claim, getattr(operation, "reason", "expired"), at, operation.valid_from)
    try:
        closed = closing.end_in(con, local_operator(writer.home, []), writer.table, ending)
        found = ("closed", closed["valid_from"])
    except ContextfulError as error:
        found = ("refused", error.identifier)
    (stamp,) = con.execute(
        "select coalesce(max(epoch_us(_ingested_at)), 0) from landing.main.facts_closures"
    ).fetchone()
    if isinstance(operation, Expire):
        expected = played.store.expire(claim, operation.at, stamp, operation.valid_from)
    else:
        expected = played.store.retract(claim, operation.reason, stamp, operation.valid_from)
    wanted = ("closed", _text(expected.valid_from)) if expected.kind == "closed" else ("refused", expected.identifier)
    assert found == wanted, f"{operation}\n{played.operations}"


def windows(home: Home, tables: list[Table]) -> set[tuple]:
    """Every interval as the product's own window gives it."""
    con = session.open_session(local_operator(home, tables), shaped=[TABLE])
    session.load_functions(con, home, "claim_windows")
    rows = con.execute(
        "select claim_id, epoch_us(valid_from), epoch_us(valid_to), superseded_by from recall.claim_windows($1)",
        [TABLE],
    ).fetchall()
    con.close()
    return set(rows)


@pytest.mark.rule(
    "revise.supersede", "revise.tier", "revise.dedup-key", "revise.observed-order", "revise.citation-live"
)
@pytest.mark.rule("revise.unscoped-collision", "revise.retention-default", "revise.observed-attest")
def test_histories_decide_as_the_reference(
    writer: Writer, home: Home, tables: list[Table], drawn: list[list[Operation]]
) -> None:
    histories = [Played(number, operations) for number, operations in enumerate(drawn)]
    con = closing.open_session(local_operator(home, tables), writer.table)
    for step in range(max(len(played.operations) for played in histories)):
        now = [(played, played.operations[step]) for played in histories if step < len(played.operations)]
        for tier in ("researched", "derived", "curated"):
            writes = [
                (played, [played.line(line) for line in _lines([operation])])
                for played, operation in now
                if isinstance(operation, WriteOne | WriteBatch) and operation.tier == tier
            ]
            if writes:
                write_step(writer, tier, writes)
        for played, operation in now:
            if isinstance(operation, Expire | Retract):
                close_step(writer, con, played, operation)
    con.close()
    expected = {(p.claim_id, p.valid_from, p.valid_to, p.superseded_by) for h in histories for p in h.store.window()}
    assert windows(home, tables) == expected
    letters = writer.con.execute("select detail from session.all_letters").fetchall()
    told = sorted(tuple(sorted(part for part in detail.split() if part.startswith("c-"))) for (detail,) in letters)
    assert told == sorted(letter.claim_ids for h in histories for letter in h.store.letters)


@pytest.mark.rule("revise.supersede", "revise.dedup-key", "revise.observed-order")
def test_a_batch_decides_as_its_lines_one_by_one(
    writer: Writer, home: Home, tables: list[Table], drawn: list[list[Operation]]
) -> None:
    """Lines of some histories that say when they hold, all of one tier: as one batch, and each in its own commit."""
    chosen = [
        replace(line, subject=f"{line.subject} {number}")
        for number, operations in enumerate(drawn[:ONE_BY_ONE])
        for line in _lines(operations)
        if line.observed_at is not None
    ]
    writer.stage([as_json(replace(line, subject="batch " + line.subject)) for line in chosen])
    report = writer.write(by("curated"), is_batch=True)
    refused = {one.line: one.identifier for one in report.refused}
    landed = dict(writer.staging.rows("select line_number, outcome = 'landed' from pending.decided"))
    for number, line in enumerate(chosen, start=1):
        writer.stage([as_json(replace(line, subject="single " + line.subject))])
        alone = writer.write(by("curated"), is_batch=False)
        identifiers = [one.identifier for one in alone.refused]
        assert identifiers == ([refused[number]] if number in refused else []), line
        assert bool(alone.landed) == landed[number], line
    con = session.open_session(local_operator(home, tables), shaped=[TABLE])
    session.load_functions(con, home, "claim_windows")
    batch, single = (
        con.execute(
            """select replace(w.subject, $1, ''), w.object, w.valid_from::varchar, w.valid_to::varchar, s.object
               from recall.claim_windows('facts') as w left join recall.claim_windows('facts') as s
                   on w.superseded_by = s.claim_id and w.superseded_by_valid_from = s.valid_from
               where starts_with(w.subject, $1) order by all""",
            [kind],
        ).fetchall()
        for kind in ("batch ", "single ")
    )
    assert batch == single
    con.close()
