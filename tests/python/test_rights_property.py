"""For any rights: no value of a row that the caller may not see is in any answer of any verb.

What is invisible is worked out here, row by row, from the rights as they were granted; every value is unlike any other,
so that a look at the text of an answer tells.
"""

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import pytest
from granting import caller_of, narrowed, token
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from placing import EVIDENCE, Placed, cited
from settling import observation, registration
from writing import claim

from contextful_cli import calibration, lake, recall, revise, settle
from contextful_cli.caller import Caller
from contextful_cli.errors import ContextfulError
from contextful_cli.reader import Reader
from contextful_cli.revision import closing
from contextful_cli.settings import Home

SOURCES = {"events": "note", "people": "name"}
TABLES = ("facts", "odds", "bets", "results", *SOURCES)
# What a token may mask or filter by, of the tables at hand; the last is declared by none.
COLUMNS = {
    "facts": ("claim_id", "subject", "predicate", "object", "scope", "confidence", "agent", "gone"),
    "odds": ("object", "scope", "confidence", "predicate", "claim_id"),
    "bets": ("subject", "prediction_id", "statement"),
    "results": ("verdict", "signal", "prediction_id"),
    "events": ("note", "id"),
    "people": ("name", "id"),
}
Row = dict[str, Any]


@dataclass
class World:
    """Every row of the lake as its columns, by table."""

    rows: dict[str, list[Row]]


@pytest.fixture
def world(home: Home) -> Iterator[World]:
    placed = Placed(home)
    rows: dict[str, list[Row]] = {name: [] for name in TABLES}
    for table, text in SOURCES.items():
        placed.rows(table, "run", 4, id="i", **{text: f"'{table}-' || i % 2"})
        rows[table] = [{"id": str(i), text: f"{table}-{i % 2}", "seq": i} for i in range(4)]
    for table, first in (("facts", 0), ("odds", 20)):
        for number in range(first, first + 12):
            rows[table].append(_placed_claim(placed, table, number))
    _settle(home, rows)
    _letters(home, rows)
    yield World(rows)
    placed.close()


def _placed_claim(placed: Placed, table: str, number: int) -> Row:
    source = ("events", "people")[number % 2]
    row = {
        "claim_id": f"c-id{number:03d}",
        "subject": f"subject{number % 3}",
        "predicate": f"{table}-predicate{number % 2}",
        "object": f"object{number:03d}",
        "scope": (None, "scope-a", "scope-b")[number % 3],
        "tier": "curated",
        "confidence": 0.5 + (number + 1) / 1024,
        "valid_from": f"20{10 + number:02d}-03-05T06:07:0{number % 10}Z",
    }
    citations = [(source, "run", number % 4)] + ([("people", "run", 3)] if number % 5 == 0 else [])
    placed.claim(table, **row, grant_id=f"grant{number:03d}", evidence=cited(*citations))
    return row | {"grant_id": f"grant{number:03d}", "agent": None, "citations": citations}


def _settle(home: Home, rows: dict[str, list[Row]]) -> None:
    """Every claim of odds was a prediction, and has an outcome."""
    con = lake.open_lake(home, read_only=False)
    with lake.commit(con, home, "test") as work:
        landed = f"make_timestamp_ns({work.stamp * 1000}) as _ingested_at, 'f' as _run_id, $4 as _row_seq"
        work.touch("bets", "results")
        for number, forecast in enumerate(rows["odds"]):
            bet = {
                "prediction_id": forecast["claim_id"],
                "subject": f"bet{number:03d}",
                "statement": f"said{number:03d}",
            }
            outcome = {
                "prediction_id": forecast["claim_id"],
                "verdict": number % 3 > 0,
                "signal": f"signal{number % 2}",
            }
            con.execute(
                "insert into landing.main.bets by name select $1 as prediction_id, $2 as subject, $3 as statement, "
                f"'2026-01-01' as predicted_at, '2026-01-02' as deadline_at, 'manual' as resolution_source, {landed}",
                [*bet.values(), number],
            )
            con.execute(
                "insert into landing.main.results by name select $1 as prediction_id, $2 as verdict, $3 as signal, "
                f"'2026-01-01' as observed_at, 'manual' as resolution_source, {landed}",
                [*outcome.values(), number],
            )
            rows["bets"].append(bet)
            rows["results"].append(outcome | {"verdict": str(outcome["verdict"]).lower()})
    con.close()


def _letters(home: Home, rows: dict[str, list[Row]]) -> None:
    con = lake.open_lake(home, read_only=False)
    with lake.commit(con, home, "test") as work:
        work.touch("facts_letters")
        for number, row in enumerate(rows["facts"]):
            said_of = [f"letter{number:03d}", f"detail {row['object']}", f"response {row['object']}"]
            con.execute(
                "insert into landing.main.facts_letters by name "
                "select $1 as letter_id, $2 as detail, $3 as response, 'revise' as stage, 'r' as reason, "
                f"$4::json::{EVIDENCE} as evidence, make_timestamp_ns({work.stamp * 1000}) as _ingested_at, "
                "'l' as _run_id, $5 as _row_seq",
                [*said_of, json.dumps(cited(*row["citations"])), number],
            )
    con.close()


PAIRS = st.sampled_from([(table, column) for table, columns in COLUMNS.items() for column in columns])


@st.composite
def wishes(draw: st.DrawFn) -> dict[str, Any]:
    """The rights of one block: tables to read, masks, filters."""
    values = {
        "scope": ("scope-a", "scope-b", ""),
        "subject": ("subject0", "subject1", "bet003"),
        "object": ("object003", "object004", "object025"),
        "note": ("events-0",),
        "name": ("people-1",),
        "signal": ("signal0",),
        "id": ("0", "3"),
        "verdict": ("true",),
    }
    filtered = draw(st.lists(PAIRS.filter(lambda pair: pair[1] in values or pair[1] == "gone"), max_size=3))
    return {
        "read": tuple(draw(st.sets(st.sampled_from(TABLES), min_size=3))),
        "masks": tuple(f"{table}.{column}" for table, column in draw(st.lists(PAIRS, max_size=2))),
        "filters": tuple(f"{t}.{c}={draw(st.sampled_from(values.get(c, ('x',))))}" for t, c in filtered),
    }


class Sight:
    """What some blocks of rights leave of the world, worked out row by row."""

    def __init__(self, world: World, blocks: list[dict[str, Any]]) -> None:
        self.world, self.blocks = world, blocks

    def reads(self, table: str) -> bool:
        return all(table in block["read"] for block in self.blocks) and "gone" not in self.masks(table)

    def masks(self, table: str) -> set[str]:
        named = [mask.split(".") for block in self.blocks for mask in block["masks"]]
        return {column for name, column in named if name == table}

    def sees(self, table: str, row: Row) -> bool:
        return self.reads(table) and all(self._passes(block, table, row) for block in self.blocks)

    def _passes(self, block: dict[str, Any], table: str, row: Row) -> bool:
        allowed: dict[str, set[str]] = {}
        for text in block["filters"]:
            (name, column), value = text.split("=")[0].split("."), text.split("=")[1]
            if name == table:
                allowed.setdefault(column, set()).add(value)
        return all(row.get(column) in values for column, values in allowed.items())

    def resolves(self, citations: list[tuple[str, str, int]]) -> bool:
        return all(not self.masks(t) and self.sees(t, self.world.rows[t][seq]) for t, _, seq in citations)

    def invisible(self) -> set[str]:
        """Values, as answers write them, that no answer may hold."""
        found: set[str] = set()
        for table in ("facts", "odds"):
            for row in self.world.rows[table]:
                is_out = not self.sees(table, row)
                withheld = is_out or not self.resolves(row["citations"])
                for column in ("object", "grant_id"):
                    if withheld or column in self.masks(table):
                        found.add(row[column])
                # A claim withheld for its evidence is no secret: a visible one may name it as its successor.
                if is_out or {"claim_id", "subject", "predicate", "object", "scope"} & self.masks(table):
                    found.add(row["claim_id"])
                if is_out or "confidence" in self.masks(table):
                    found.add(str(row["confidence"]))
                if is_out:
                    found.add(row["valid_from"].removesuffix("Z") + ".000000Z")
        found |= {source for source in ("events-0", "events-1", "people-0", "people-1")}  # no verb shows source rows
        return found | {row["statement"] for row in self.world.rows["bets"]}


def said(call: Callable[..., Any], *arguments: Any) -> str:
    """What a verb answers, or what its refusal says."""
    try:
        return json.dumps(call(*arguments))
    except ContextfulError as refusal:
        return f"{refusal.identifier}: {refusal.message}"


def answers(caller: Caller) -> Iterator[str]:
    """The answers of every read verb."""
    subjects = ("subject0", "subject1", "subject2")
    with Reader(caller) as reader:
        for table in ("facts", "odds"):
            asked = [recall.Request(table, one, observed_at=at) for one in subjects for at in (None, "2018-01-01")]
            for request in (*asked, recall.Request(table, subjects, scope="scope-a")):
                yield said(recalled, reader, request)
            yield said(recall.subjects, reader, table)
        yield said(recall.letters, reader)
        yield said(recall.letters, reader, "facts")
        yield said(calibration.report, caller, "odds", calibration.Window())


def recalled(reader: Reader, request: recall.Request) -> dict[str, Any]:
    return without_ends(recall.recall(reader, request))


def without_ends(answer: dict[str, Any]) -> dict[str, Any]:
    """The end of an interval may tell when a hidden successor starts: the contract says so."""
    place = answer["columns"].index("valid_to")
    return answer | {"rows": [[*row[:place], None, *row[place + 1 :]] for row in answer["rows"]]}


def test_no_value_of_an_invisible_row_is_in_any_answer(home: Home, world: World) -> None:
    seen: list[int] = []

    @settings(max_examples=10, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])
    @given(st.lists(wishes(), min_size=1, max_size=2))
    def check(blocks: list[dict[str, Any]]) -> None:
        made = token(home, **blocks[0])
        for block in blocks[1:]:
            made = narrowed(made, **block)
        sight = Sight(world, blocks)
        told = "\n".join(answers(caller_of(home, made)))
        assert {value for value in sight.invisible() if value in told} == set()
        seen.append(sum(row["object"] in told for row in world.rows["facts"]))

    check()
    assert max(seen) > 0  # it has seen something


def test_everything_is_there_for_who_may_see_it(home: Home, world: World) -> None:
    block = {"read": TABLES, "masks": (), "filters": ()}
    told = "\n".join(answers(caller_of(home, token(home, **block))))
    assert {row["object"] for row in world.rows["facts"] if row["object"] not in told} == set()


def test_no_refused_write_tells_of_one(home: Home, world: World) -> None:
    """Writes onto lines of which nothing is visible: their refusals say the same as on lines that are not there."""
    caller = caller_of(home, token(home, read=TABLES, write=TABLES, filters=("facts.scope=scope-a",)))
    for row in world.rows["facts"]:
        if row["scope"] == "scope-a":
            continue
        members = {
            "subject": row["subject"],
            "predicate": row["predicate"],
            "object": row["object"],
            "scope": row["scope"],
        }
        given_claim = claim(**{name: value for name, value in members.items() if value is not None})
        told = said(revise.write_one, caller, "facts", revise.Claim(given_claim, "2001-01-01T00:00:00Z"))
        assert told.startswith("GrantWriteNotCovered")
        ending = closing.Ending(row["claim_id"], "retracted")
        assert said(closing.end, caller, "facts", ending).startswith("ClaimUnknown")
    blind = caller_of(home, token(home, read=("results",), write=("results", "bets")))
    for row in world.rows["bets"]:
        one = observation(prediction_id=row["prediction_id"])
        assert said(settle.observe_one, blind, "results", one).startswith("OutcomePredictionUnregistered")
        assert said(settle.predict_one, blind, "bets", registration()).startswith("GrantWriteNotCovered")
