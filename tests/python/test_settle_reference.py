"""Both verbs against the independent reference, and a batch against its lines one by one: random lines alike."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import count
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from reference.settlement import OBSERVATION, REGISTRATION, Ledger, Row, Ruling
from settling import ABSENT, Books, fresh

from contextful_cli.batches.report import Report
from contextful_cli.settings import Home

NUMBERS = count()
IDS = ("a", "b")
INSTANTS = ("2020-01-01T00:00:00Z", "2020-01-01T01:00:00+01:00", "2020-01-01T00:00:00.000001Z", "9999-12-31T23:59:59Z")
NO_INSTANTS = ("2020-01-01", "2020-02-30T00:00:00Z", "0001-01-01T00:00:00+01:00", "soon", 5, None)
ODD_TEXTS = (" ", "", "\u2003", "a\0b", 5, None, ABSENT)
METRICS = ("prices:wheat", "prices:rye", "prices:", ABSENT)
CITATIONS = ("https://example.org/a", "http://example.org/b", "ftp://example.org", None, ABSENT)
SOURCES = ("metric", "manual", "adjudicator")
# Sound and alike most of the time, so that lines meet; of the odd values at most two a line.
REGISTERED: dict[str, tuple[tuple[Any, ...], tuple[Any, ...]]] = {
    "prediction_id": (IDS, ODD_TEXTS),
    "subject": (("orion",), ("vega", *ODD_TEXTS)),
    "predicted_at": (INSTANTS[:2], (*INSTANTS, *NO_INSTANTS, ABSENT)),
    "horizon_secs": ((3600, ABSENT), (0, -1, 1.0, "5", True, 2**63, 2**62, 252_000_000_000, None)),
    "deadline_at": ((ABSENT,), (*INSTANTS, *NO_INSTANTS, "9999-12-31", "2019-12-31", "2019-12-30")),
    "watch": ((ABSENT, False), (True, None, "true", 0)),
    "resolution_source": (("metric",), (*SOURCES, "oracle", None, ABSENT)),
    "comparator": ((">= 3.5",), (">= 3.50", "=> 1", "< 1e999", ">=1", *ODD_TEXTS)),
    "statement": ((ABSENT, "It rains."), ("ż" * 2048, "ż" * 2048 + ".", *ODD_TEXTS)),
    "metric": (("prices:wheat",), (*METRICS, *ODD_TEXTS)),
}
OBSERVED: dict[str, tuple[tuple[Any, ...], tuple[Any, ...]]] = {
    "prediction_id": (IDS, ("c", *ODD_TEXTS)),
    "observed_at": (INSTANTS[:2], (*INSTANTS, *NO_INSTANTS, ABSENT)),
    "verdict": ((ABSENT, ABSENT, True), (False, None, "true", 1)),
    "resolution_source": (("metric",), (*SOURCES, "oracle", None, ABSENT)),
    "signal": ((ABSENT, "annulled"), ODD_TEXTS),
    "settling_citation": ((ABSENT,), (*CITATIONS, *ODD_TEXTS)),
    "metric": (("prices:wheat",), (*METRICS, *ODD_TEXTS)),
    "value": ((ABSENT, 4, 4.0), ("4", True, -1e308, None)),
}


@dataclass(frozen=True)
class Line:
    """The members of a line, or a text that is none."""

    members: dict[str, Any]
    text: str | None = None

    def told(self, prefix: str) -> str:
        """The line, about predictions that no other example names."""
        if self.text is not None:
            return self.text
        members = {name: value for name, value in self.members.items() if value is not ABSENT}
        if members.get("prediction_id") in (*IDS, "c"):
            members["prediction_id"] = prefix + members["prediction_id"]
        return json.dumps(members)


@st.composite
def lines(draw: st.DrawFn, pools: dict[str, tuple[tuple[Any, ...], tuple[Any, ...]]]) -> Line:
    """A line of the members of these pools."""
    if draw(st.integers(0, 19)) == 19:
        return Line({}, draw(st.sampled_from(["{", "[]", "5", '{"prediction_id": 1, "prediction_id": 2}'])))
    members = {name: draw(st.sampled_from(usual)) for name, (usual, _) in pools.items()}
    for name in draw(st.lists(st.sampled_from(list(pools)), max_size=2)):
        members[name] = draw(st.sampled_from(pools[name][1]))
    if draw(st.integers(0, 3)) == 3:
        members |= {"resolution_source": "manual", "comparator": ABSENT, "metric": ABSENT}
        members = {name: value for name, value in members.items() if name in pools}
    if draw(st.integers(0, 19)) == 19:
        members["colour"] = "red"
    return Line(members)


batches = st.lists(
    st.one_of(
        st.tuples(st.just("predict"), st.lists(lines(REGISTERED), min_size=1, max_size=8)),
        st.tuples(st.just("observe"), st.lists(lines(OBSERVED), min_size=1, max_size=8)),
    ),
    min_size=1,
    max_size=4,
)


@pytest.fixture(scope="module")
def books(compiled: Home, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Books]:
    with fresh(compiled, tmp_path_factory.mktemp("ledgers") / "home") as opened:
        yield opened


def rulings(report: Report, number: int) -> tuple[int, int, list[tuple[int, str]]]:
    """The report's counts; they are of so many lines."""
    assert report.landed + report.restated + len(report.refused) == number
    return report.landed, report.restated, [(one.line, one.identifier) for one in report.refused]


def expected(found: list[Ruling]) -> tuple[int, int, list[tuple[int, str]]]:
    outcomes = [outcome for outcome, _ in found]
    refused = [(number, identifier or "") for number, (_, identifier) in enumerate(found, start=1) if identifier]
    return outcomes.count("landed"), outcomes.count("restated"), refused


def play(books: Books, prefix: str, told: list[tuple[str, list[Line]]], *, is_batch: bool) -> Ledger:
    """Each batch to the product, at once or line by line, and to the reference; gives the reference's ledger."""
    ledger = Ledger()
    for verb, each in told:
        write, decide = (
            (books.predict_all, ledger.predict) if verb == "predict" else (books.observe_all, ledger.observe)
        )
        texts = [line.told(prefix) for line in each]
        for part in [texts] if is_batch else [[text] for text in texts]:
            assert rulings(write(*part), len(part)) == expected([decide(text) for text in part]), part
    return ledger


def stored(books: Books, prefix: str) -> tuple[list[Row], list[Row]]:
    """What both tables hold of the example's predictions."""
    books.id = prefix
    instants = {"predicted_at", "deadline_at", "observed_at"}

    def rows(names: tuple[str, ...], read: Any) -> list[Row]:
        columns = ", ".join(f'epoch_us("{name}")' if name in instants else f'"{name}"' for name in names)
        return [dict(zip(names, row, strict=True)) for row in read(columns)]

    return rows(REGISTRATION, books.registered), rows(OBSERVATION, books.observed)


@pytest.mark.rule("settle.registration", "settle.registration-conflict", "settle.restated-landing")
@pytest.mark.rule("settle.source-mismatch", "settle.settling-citation", "settle.statement-bound")
@pytest.mark.rule("settle.metric-reference", "settle.deadline-date", "settle.prediction-unregistered")
@pytest.mark.rule("settle.outcome-settled")
@settings(max_examples=30, suppress_health_check=list(HealthCheck))
@given(told=batches)
def test_lines_are_decided_as_the_reference_does(books: Books, told: list[tuple[str, list[Line]]]) -> None:
    for is_batch in (True, False):
        prefix = f"{next(NUMBERS)}:"
        ledger = play(books, prefix, told, is_batch=is_batch)
        registered, observed = stored(books, prefix)
        assert sorted(registered, key=str) == sorted(ledger.registrations.values(), key=str)
        assert sorted(observed, key=str) == sorted(
            (row for rows in ledger.observations.values() for row in rows), key=str
        )
