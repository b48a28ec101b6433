"""Keyed recall: clocks, filters, order, limits, the response object; and the other reads of claims."""

import dataclasses
import itertools
import json
import math
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from placing import Placed, cited

from contextful_cli import answers, clock, declaration, instants, lake, recall, warehouse
from contextful_cli.caller import local_operator
from contextful_cli.errors import ContextfulError
from contextful_cli.reader import Reader
from contextful_cli.settings import Home
from contextful_cli.tables import Table

OTHER_SHAPES = ("people", "events", "persons", "ties", "diary", "tastes", "bets", "results")


@pytest.fixture
def placed(home: Home) -> Iterator[Placed]:
    """A lake with one event, e:0, for claims to rest on."""
    placing = Placed(home)
    placing.rows("events", "e", 1, id="0")
    yield placing
    placing.close()


@pytest.fixture
def reader(home: Home) -> Iterator[Reader]:
    with Reader(local_operator(home, declaration.load(home.project))) as opened:
        yield opened


def recalled(reader: Reader, **asked: Any) -> dict[str, Any]:
    return recall.recall(reader, recall.Request(**{"table": "facts", "subject": "orion"} | asked))


def column(answer: dict[str, Any], name: str) -> list[Any]:
    at = answer["columns"].index(name)
    return [row[at] for row in answer["rows"]]


def objects(reader: Reader, **asked: Any) -> list[str]:
    return column(recalled(reader, **asked), "object")


def succession(placed: Placed) -> list[int]:
    """Mira led from January, Noor from March, Omar from May 2026; returns the stamps."""
    starts = {"Mira": "2026-01-01", "Noor": "2026-03-01", "Omar": "2026-05-01"}
    return [
        placed.claim(claim_id=f"c-{name}", object=name, valid_from=f"{day}T00:00:00Z") for name, day in starts.items()
    ]


@pytest.mark.rule("recall.keyed-history", "recall.keyed")
def test_a_replaced_claim_answers_inside_its_interval(placed: Placed, reader: Reader) -> None:
    succession(placed)
    answer = recalled(reader, observed_at="2026-02-15T12:00:00Z")
    assert column(answer, "object") == ["Mira"]
    assert column(answer, "superseded_by") == ["c-Noor"]
    assert column(answer, "valid_to") == ["2026-03-01T00:00:00.000000Z"]


@pytest.mark.rule("recall.keyed")
def test_intervals_are_half_open(placed: Placed, reader: Reader) -> None:
    expected = {
        "2025-12-31T23:59:59.999999Z": [],
        "2026-01-01T00:00:00Z": ["Mira"],
        "2026-02-28T23:59:59.999999Z": ["Mira"],
        "2026-03-01T00:00:00Z": ["Noor"],
        "2026-03-01T01:00:00+01:00": ["Noor"],
        # Exclusive: before the midnight that ends the day.
        "2025-12-31": [],
        "2026-01-01": ["Mira"],
        "2026-02-28": ["Mira"],
        "2026-03-01": ["Noor"],
        None: ["Omar"],
    }
    succession(placed)
    assert {observed_at: objects(reader, observed_at=observed_at) for observed_at in expected} == expected


@pytest.mark.rule("recall.keyed")
def test_years_1_and_9999_and_any_script(placed: Placed, reader: Reader) -> None:
    subject = "Łukasz Żółć 李明 🙂"
    placed.claim(subject=subject, valid_from="0001-01-01T00:00:00Z", valid_to="9999-12-31T23:59:59.999999Z")
    placed.claim(claim_id="c-2", subject=subject.lower(), object="other")
    last = recalled(reader, subject=subject, observed_at="9999-12-31T23:59:59.999998Z")
    assert column(last, "subject") == [subject]
    assert column(last, "valid_from") == ["0001-01-01T00:00:00.000000Z"]
    assert column(last, "valid_to") == ["9999-12-31T23:59:59.999999Z"]
    assert objects(reader, subject=subject, observed_at="0001-01-01T00:00:00Z") == ["Mira"]
    assert objects(reader, subject=subject, observed_at="9999-12-31") == []  # ended within that day
    assert objects(reader, subject=subject, observed_at="9999-12-31T23:59:59.999999Z") == []


@pytest.mark.rule("recall.keyed")
def test_scope_and_predicate_filter_and_change_no_interval(placed: Placed, reader: Reader) -> None:
    placed.claim(claim_id="c-1", object="Mira", scope="a")
    placed.claim(claim_id="c-2", object="Noor", scope="b")
    placed.claim(claim_id="c-3", object="tall", predicate="height")
    placed.claim(claim_id="c-4", object="Omar", scope="a", valid_from="2026-02-01T00:00:00Z")
    assert objects(reader) == ["Omar", "Noor", "tall"]
    assert objects(reader, scope="a") == ["Omar"]
    assert objects(reader, scope="a", observed_at="2026-01-15T00:00:00Z") == ["Mira"]
    assert objects(reader, predicate="height") == ["tall"]
    assert objects(reader, scope="b", predicate="lead") == ["Noor"]
    assert objects(reader, scope="A") == objects(reader, scope="") == objects(reader, predicate="hei") == []


@pytest.mark.rule("recall.keyed")
def test_the_subject_matches_exactly(placed: Placed, reader: Reader) -> None:
    placed.claim()
    assert [objects(reader, subject=name) for name in ("Orion", "orion ", "orio", "%", "")] == [[]] * 5


@pytest.mark.rule("recall.keyed-clocks")
def test_a_bound_on_commits_shows_what_was_known_then(placed: Placed, reader: Reader) -> None:
    first, second, third = succession(placed)
    known = [recalled(reader, as_of_ingest=instants.format_us(stamp)) for stamp in (first - 1, first, second, third)]
    assert [column(one, "object") for one in known] == [[], ["Mira"], ["Noor"], ["Omar"]]
    # Known after the first commit, Mira still leads: a later row closes no interval in the past.
    assert column(known[1], "valid_to") == column(known[1], "superseded_by") == [None]
    assert objects(reader, as_of_ingest=instants.format_us(second), observed_at="2026-02-01T00:00:00Z") == ["Mira"]


@pytest.mark.rule("recall.keyed-clocks")
def test_nanoseconds_of_a_bound_count(placed: Placed, reader: Reader) -> None:
    stamp = placed.claim()
    inside = instants.format_ns(stamp * 1000)
    before = instants.format_ns(stamp * 1000 - 1)
    assert [objects(reader, as_of_ingest=bound) for bound in (inside, before)] == [["Mira"], []]


@pytest.mark.rule("recall.keyed-clocks")
def test_bounds_are_echoed_when_given_and_only_then(placed: Placed, reader: Reader) -> None:
    placed.claim()
    assert "contextful.bounds" not in recalled(reader)
    bounds = recalled(
        reader, observed_at="2026-01-31T09:30:00.5+02:00", as_of_ingest="2026-02-01", available_as_of="2026-02-28"
    )["contextful.bounds"]
    assert bounds == {
        "observed_at": "2026-01-31T07:30:00.500000000Z",
        "as_of_ingest": "2026-02-02T00:00:00.000000000Z",
        "available_as_of": "2026-03-01T00:00:00.000000000Z",
        "inclusive": {"observed_at": True, "as_of_ingest": False, "available_as_of": False},
    }


@pytest.mark.rule("recall.keyed-clocks")
def test_a_bound_on_commits_after_now_is_cut_to_now(placed: Placed, reader: Reader) -> None:
    stamp = placed.claim()
    for bound in ("2200-01-01", "9999-12-31T23:59:59Z"):
        answer = recalled(reader, as_of_ingest=bound)
        echoed = answer["contextful.bounds"]
        assert echoed["inclusive"] == {"as_of_ingest": True}
        assert instants.format_ns(stamp * 1000) <= echoed["as_of_ingest"] <= instants.format_ns(time.time_ns() + 10**9)
        assert column(answer, "object") == ["Mira"]


@pytest.mark.rule("recall.keyed-clocks")
def test_without_a_bound_on_commits_no_lock_is_waited_for(placed: Placed, reader: Reader, home: Home) -> None:
    stamp = placed.claim()
    with lake.hold(home, "test"):
        assert objects(reader) == ["Mira"]
        # Nor for one that lies before the last commit: nothing can still fall within it.
        assert objects(reader, as_of_ingest=instants.format_us(stamp - 1)) == []


@pytest.mark.rule("recall.keyed-clocks")
def test_now_is_never_before_an_instant_that_was_minted(placed: Placed, reader: Reader, home: Home) -> None:
    placed.claim(valid_from="2100-01-01T00:00:00Z")
    assert objects(reader) == []
    ahead = clock.read(home)
    ahead.instant = instants.stored("x", "2100-01-01T00:00:00Z")
    clock.write(home, ahead)
    assert objects(reader) == ["Mira"]


@pytest.mark.rule("declare.availability")
def test_available_as_of_bounds_by_the_declared_column(placed: Placed, reader: Reader) -> None:
    day = "2026-{}T00:00:00Z".format
    placed.claim("dated_facts", object="Mira", known_at=day("01-05"))
    # A later vintage of the same claim, and a successor; both became available later.
    placed.claim("dated_facts", object="Mira", confidence=0.5, known_at=day("02-05"))
    placed.claim("dated_facts", claim_id="c-2", object="Noor", valid_from=day("01-10"), known_at=day("03-05"))

    def at(bound: str | None) -> list[tuple[Any, ...]]:
        answer = recalled(reader, table="dated_facts", observed_at=day("06-01"), available_as_of=bound)
        return list(zip(column(answer, "object"), column(answer, "confidence"), strict=True))

    assert at(day("01-04")) == []
    assert at(day("01-05")) == at("2026-01-05") == at("2026-02-04") == [("Mira", 0.9)]
    assert at("2026-02-05") == at("2026-03-04") == [("Mira", 0.5)]
    assert at(day("03-05")) == at(None) == [("Noor", 0.9)]


@pytest.mark.rule("declare.availability")
def test_a_table_without_available_time_is_not_bounded_by_it(placed: Placed, reader: Reader) -> None:
    placed.claim()
    assert objects(reader, available_as_of="2001-01-01") == ["Mira"]


@pytest.mark.rule("recall.keyed-order")
def test_order_is_tier_then_newest_then_claim_id(placed: Placed, reader: Reader) -> None:
    for claim_id, tier, month in (
        ("c-b", "researched", 5),
        ("c-c", "derived", 3),
        ("c-z", "curated", 2),
        ("c-a", "curated", 2),
        ("c-d", "curated", 4),
        ("c-e", "derived", 6),
    ):
        placed.claim(claim_id=claim_id, predicate=claim_id, tier=tier, valid_from=f"2026-0{month}-01T00:00:00Z")
    answer = recalled(reader)
    assert column(answer, "claim_id") == ["c-d", "c-a", "c-z", "c-e", "c-c", "c-b"]


@pytest.mark.rule("recall.keyed-order")
def test_truncated_means_that_one_more_row_existed(placed: Placed, reader: Reader) -> None:
    several(placed, 3)
    told = [recalled(reader, limit=limit) for limit in (1, 2, 3, 4)]
    assert [(len(one["rows"]), one["truncated"]) for one in told] == [(1, True), (2, True), (3, False), (3, False)]
    assert told[1]["contextful.truncation"] == {"by": "rows", "ceiling": 2, "source": "request"}
    assert "contextful.truncation" not in told[2]


@pytest.mark.rule("recall.keyed-order")
def test_the_lowest_ceiling_cuts(placed: Placed, reader: Reader) -> None:
    several(placed, 4, table="dated_facts")
    for limit, ceiling, source in ((None, 3, "table"), (3, 3, "table"), (2, 2, "request")):
        answer = recalled(reader, table="dated_facts", limit=limit)
        assert answer["contextful.truncation"] == {"by": "rows", "ceiling": ceiling, "source": source}
        assert len(answer["rows"]) == ceiling


def test_the_face_has_a_ceiling_of_its_own(tables: list[Table]) -> None:
    facts = declaration.find(tables, "facts")
    assert answers.ceiling(facts, None) == answers.ceiling(facts, 10**30) == answers.Ceiling(10_000, "face")
    assert answers.ceiling(facts, "9999") == answers.Ceiling(9_999, "request")


@pytest.mark.parametrize("limit", [0, -1, "0", "-1", "1.5", "x", "", " 1", "1e3", "٣", "9" * 5000, True])
def test_a_limit_is_a_whole_number_from_1(limit: Any) -> None:
    assert refusal(lambda: answers.ceiling(None, limit)) == "ArgumentMalformed"


@pytest.mark.rule("recall.keyed-window", "recall.suppression-count")
def test_checking_stops_after_one_more_than_the_ceiling(placed: Placed, reader: Reader) -> None:
    placed.rows("people", "p", 1, id="'ada'")
    held, lost, replaced = ("events", "e", 0), ("events", "no", 0), ("people", "p", 0)
    fates = [[held], [lost], [replaced], [lost], [replaced], [held] * 4097, [held], [lost]]
    for number, citations in enumerate(fates):
        placed.claim(claim_id=f"c-{number}", predicate=f"p{number}", evidence=cited(*citations))
    placed.rows("people", "p2", 1, id="'ada'")

    def told(limit: int) -> tuple[Any, ...]:
        answer = recalled(reader, limit=limit)
        block = answer["contextful.recall"]
        return len(answer["rows"]), *block["suppressed"].values(), block["stale"], answer["truncated"]

    # Rows, unresolved, overflow, stale, truncated.
    assert told(1) == (1, 1, 0, 0, True)  # checked up to the first stale one, which is retained and not served
    assert told(2) == (2, 2, 0, 1, True)  # up to the second stale one
    assert told(3) == (3, 2, 1, 2, True)  # up to the last held one: the unresolved one after it is never checked
    assert told(4) == (4, 3, 1, 2, False)
    assert told(5) == (4, 3, 1, 2, False)


@pytest.mark.rule("recall.keyed-not-claims")
def test_a_table_of_another_shape_is_refused(reader: Reader) -> None:
    refused = {table: refusal(lambda table=table: recalled(reader, table=table)) for table in OTHER_SHAPES}
    assert refused == dict.fromkeys(OTHER_SHAPES, "MemoryRecallNotClaims")


@pytest.mark.rule("recall.keyed-not-claims")
def test_an_unknown_table_is_refused_first(reader: Reader) -> None:
    asked: dict[str, Any] = {"limit": 0, "observed_at": "no instant"}
    for table in ("nowhere", "FACTS", "facts_letters", "facts_closures", "all_memory_facts", ""):
        assert refusal(lambda table=table: recalled(reader, table=table, **asked)) == "EnforceUnknownRelation"


def test_a_text_that_no_store_holds_is_refused(reader: Reader) -> None:
    for name, value in itertools.product(("subject", "scope", "predicate"), ("a\0b", "\ud800")):
        assert refusal(lambda asked={name: value}: recalled(reader, **asked)) == "ArgumentMalformed"


def test_a_bound_that_is_no_instant_is_refused(reader: Reader) -> None:
    for name in ("observed_at", "as_of_ingest", "available_as_of"):
        asked = {name: "2026-01-01T00:00:00"}
        assert refusal(lambda asked=asked: recalled(reader, **asked)) == "InstantMalformed"


@pytest.mark.rule("recall.cli-verb")
def test_the_verb_prints_the_answer_on_one_line(placed: Placed, cli: Callable[..., Any]) -> None:
    placed.claim(scope="team-a")
    ran = cli("memory", "recall", "--table", "facts", "--subject", "orion", "--scope", "team-a", "--predicate", "lead",
              "--observed-at", "2026-02-01", "--available-as-of", "2026-02-02", "--limit", "5")  # fmt: skip
    assert (ran.code, ran.err, ran.out.count("\n")) == (0, "", 1)
    columns = list(recall.COLUMNS)
    row = ["c-1", "orion", "lead", "Mira", "team-a", "curated", 0.9, "2026-01-01T00:00:00.000000Z", None,
           [{"table": "events", "run": "e", "seq": 0}], None, "local", None, "uncalibrated", 0]  # fmt: skip
    assert ran.json == {
        "columns": columns,
        "rows": [row],
        "truncated": False,
        "contextful.recall": {"suppressed": {"MemoryEvidenceUnresolved": 0, "MemoryEvidenceOverflow": 0}, "stale": 0},
        "contextful.bounds": {
            "observed_at": "2026-02-02T00:00:00.000000000Z",
            "available_as_of": "2026-02-03T00:00:00.000000000Z",
            "inclusive": {"observed_at": False, "available_as_of": False},
        },
    }


@pytest.mark.rule("recall.cli-verb")
def test_the_verb_refuses_on_stderr(home: Home, cli: Callable[..., Any]) -> None:
    ran = cli("memory", "recall", "--table", "people", "--subject", "orion")
    assert (ran.code, ran.out) == (1, "")
    assert ran.err.startswith("MemoryRecallNotClaims: ")
    assert cli("memory", "recall", "--table", "facts").code == 2


@pytest.mark.rule("recall.keyed-evidence-batch")
def test_internals_list_what_was_executed(placed: Placed, cli: Callable[..., Any]) -> None:
    placed.claim()
    shown = cli("memory", "recall", "--table", "facts", "--subject", "orion", "--internals").json[
        "contextful.internals"
    ]
    assert shown["row_count"] == 1 and shown["elapsed_ms"] > 0
    assert [sql.split("(")[0] for sql in shown["sql"]] == ["from recall.recall_claims"]


def test_numbers_that_json_does_not_hold_are_texts(placed: Placed, reader: Reader) -> None:
    placed.claim(predicate="a", confidence=math.nan)
    placed.claim(claim_id="c-2", predicate="b", confidence=-math.inf)
    placed.claim(claim_id="c-3", predicate="c", confidence=1.0)
    assert column(recalled(reader), "confidence") == ["NaN", "-Infinity", 1.0]
    assert answers.plain([2**31 - 1, 2**31, -(2**31), -(2**31) - 1, math.inf, True, None]) == [
        2147483647,
        "2147483648",
        -2147483648,
        "-2147483649",
        "Infinity",
        True,
        None,
    ]
    assert answers.plain([{"table": "t", "run": "r", "seq": 2**40, "key_digest": None}]) == [
        {"table": "t", "run": "r", "seq": 2**40}
    ]


def test_an_expired_claim_answers_before_its_end_and_a_retracted_one_never(placed: Placed, reader: Reader) -> None:
    placed.claim(claim_id="c-1", predicate="a")
    placed.claim(claim_id="c-2", predicate="b", object="never")
    placed.closure("c-1", "2026-01-01T00:00:00Z", "2026-02-01T00:00:00Z")
    stamp = placed.closure("c-2", "2026-01-01T00:00:00Z", None)
    assert objects(reader, observed_at="2026-01-31") == ["Mira"]
    assert objects(reader, observed_at="2026-02-01") == []
    assert objects(reader, as_of_ingest=instants.format_us(stamp - 1), observed_at="2026-02-01") == ["never"]


def test_a_kept_reader_sees_later_commits_and_lays_no_session_twice(placed: Placed, reader: Reader) -> None:
    placed.claim()
    assert objects(reader) == ["Mira"]
    kept = reader._sessions[("facts",)]
    assert objects(reader) == ["Mira"] and reader._sessions[("facts",)] is kept
    placed.claim(claim_id="c-2", object="Noor", valid_from="2026-02-01T00:00:00Z")
    assert objects(reader) == ["Noor"] and reader._sessions[("facts",)] is not kept


def test_copy_and_lake_answer_as_the_lake_alone(placed: Placed, reader: Reader, home: Home) -> None:
    """Replaced and gone rows on both sides of the copy's stamp."""
    placed.rows("people", "p", 3, id="['ada', 'bob', 'cyd'][i + 1]", name="'first'")
    succession(placed)
    for number, person in enumerate(("ada", "bob", "cyd")):
        evidence = cited(("people", "p", number), ("events", "e", 0))
        placed.claim(claim_id=f"c-{person}", predicate=person, evidence=evidence)
    placed.rows("people", "p2", 1, id="'ada'", name="'second'")
    placed.claim(claim_id="c-lost", predicate="lost", evidence=cited(("events", "no", 0)))
    placed.closure("c-cyd", "2026-01-01T00:00:00Z", "2026-02-01T00:00:00Z")
    warehouse.build(home, ["--select", "config.materialized:table_function"])
    assert home.current.is_symlink()
    stamp = placed.rows("people", "p3", 1, id="'bob'", name="'second'")
    placed.claim(claim_id="c-new", predicate="new", evidence=cited(("people", "p3", 0), ("people", "p", 2)))
    placed.closure("c-Omar", "2026-05-01T00:00:00Z", None)
    asked = [{}, {"observed_at": "2026-01-15"}, {"as_of_ingest": instants.format_us(stamp - 1)}, {"limit": 2}]
    both = [recalled(reader, **bounds) for bounds in asked]
    assert [one["contextful.recall"]["stale"] for one in both] == [2, 2, 1, 1]
    # The copy still has the rows of a table that is declared no more.
    undeclared = [table for table in declaration.load(home.project) if table.name != "people"]
    with Reader(local_operator(home, undeclared)) as without:
        assert column(recalled(without), "object") == ["Noor"]
    home.current.unlink()
    assert [recalled(reader, **bounds) for bounds in asked] == both


def test_a_table_declared_since_the_last_command_is_empty(placed: Placed, home: Home) -> None:
    declared = declaration.load(home.project)
    facts = declaration.find(declared, "facts")
    with Reader(local_operator(home, [*declared, dataclasses.replace(facts, name="fresh")])) as reader:
        assert recalled(reader, table="fresh")["rows"] == []


def test_subjects_are_listed_with_their_claims(placed: Placed, cli: Callable[..., Any]) -> None:
    succession(placed)
    placed.claim(claim_id="c-Mira", object="Mira", valid_from="2026-06-01T00:00:00Z")
    placed.claim(claim_id="c-x", subject="orca")
    placed.claim(claim_id="c-y", subject="mars")
    placed.claim(claim_id="c-z", subject="void")
    placed.closure("c-z", "2026-01-01T00:00:00Z", None)
    ran = cli("memory", "subjects", "--table", "facts")
    assert ran.json == {
        "columns": ["subject", "claims"],
        "rows": [["mars", 1], ["orca", 1], ["orion", 3]],
        "truncated": False,
    }
    assert cli("memory", "subjects", "--table", "facts", "--prefix", "or").json["rows"] == [["orca", 1], ["orion", 3]]
    assert cli("memory", "subjects", "--table", "facts", "--prefix", "_r").json["rows"] == []
    assert cli("memory", "subjects", "--table", "people").err.startswith("MemoryRecallNotClaims")


def test_subjects_stop_at_the_tables_ceiling(placed: Placed, reader: Reader) -> None:
    for subject in "dbca":
        placed.claim("dated_facts", claim_id=f"c-{subject}", subject=subject)
    answer = recall.subjects(reader, "dated_facts")
    assert column(answer, "subject") == ["a", "b", "c"]
    assert answer["contextful.truncation"] == {"by": "rows", "ceiling": 3, "source": "table"}


def test_letters_are_listed_newest_first(placed: Placed, cli: Callable[..., Any]) -> None:
    for number, table in enumerate(("facts", "facts", "dated_facts")):
        placed._commit(
            f"{table}_letters",
            f"select 'l-{number}' as letter_id, 'revise' as stage, 'unscoped-collision' as reason, "
            f"'c-1 and c-2' as detail, 'r{number}' as _run_id, 0 as _row_seq",
        )
    answer = cli("memory", "letters").json
    assert [row[:5] for row in answer["rows"]] == [
        ["dated_facts", "l-2", "revise", "unscoped-collision", "c-1 and c-2"],
        ["facts", "l-1", "revise", "unscoped-collision", "c-1 and c-2"],
        ["facts", "l-0", "revise", "unscoped-collision", "c-1 and c-2"],
    ]
    one = cli("memory", "letters", "--table", "dated_facts").json
    assert column(one, "letter_id") == ["l-2"]
    assert cli("memory", "letters", "--table", "nowhere").err.startswith("EnforceUnknownRelation")


def test_why_tells_everything_that_decides_a_claim(placed: Placed, cli: Callable[..., Any], home: Home) -> None:
    placed.rows("people", "p", 1, id="'ada'")
    placed.claim(claim_id="c-1", evidence=cited(("people", "p", 0), ("nowhere", "r", 0), ("events", "no", 0)))
    placed.claim(claim_id="c-2", object="Noor", valid_from="2026-03-01T00:00:00Z")
    placed.closure("c-2", "2026-03-01T00:00:00Z", "2026-04-01T00:00:00Z")
    placed.rows("people", "p2", 1, id="'ada'")
    first = cli("memory", "why", "--table", "facts", "--claim-id", "c-1").json
    assert [(one["valid_from"], one["fate"]) for one in first["versions"]] == [
        ("2026-01-01T00:00:00.000000Z", "superseded")
    ]
    (window,) = first["windows"]
    assert window["valid_to"] == "2026-03-01T00:00:00.000000Z"
    assert (window["ended_by"], window["superseded_by"]) == ("superseded", "c-2")
    assert window["because"] == "the first to arrive after it, tier curated over curated, both open-ended as asserted"
    assert (window["withheld"], window["is_stale"]) == ("MemoryEvidenceUnresolved", True)
    assert [(one["table"], one["verdict"]) for one in first["citations"]] == [
        ("events", "unresolved: no such row"),
        ("nowhere", "unresolved: no declared source table"),
        ("people", "stale: a later version of its key replaced the row"),
    ]
    assert all((home.project / file).exists() for file in first["decided_by"].values())
    second = cli("memory", "why", "--table", "facts", "--claim-id", "c-2").json
    assert second["windows"][0]["ended_by"] == "expired"
    assert second["versions"][0]["closure_reason"] == "said so"
    assert cli("memory", "why", "--table", "facts", "--claim-id", "c-9").err.startswith("ClaimUnknown")


def test_why_shows_a_retracted_claim(placed: Placed, reader: Reader) -> None:
    placed.claim()
    placed.closure("c-1", "2026-01-01T00:00:00Z", None)
    told = recall.why(reader, "facts", "c-1")
    assert [(one["fate"], one["closure_reason"]) for one in told["versions"]] == [("retracted", "said so")]
    assert told["windows"] == told["citations"] == []


def test_a_cold_recall_imports_no_dbt(placed: Placed, home: Home) -> None:
    placed.claim()
    script = (
        "import sys; from contextful_cli import app\n"
        "sys.argv[1:] = 'memory recall --table facts --subject orion'.split()\n"
        "try: app.main()\n"
        "except SystemExit: pass\n"
        "heavy = {'dbt', 'pandas', 'pyarrow', 'numpy', 'rich.table'} & set(sys.modules)\n"
        "sys.exit(f'imported {heavy}' if heavy else 0)"
    )
    ran = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False)
    assert (ran.returncode, ran.stderr) == (0, "")
    assert json.loads(ran.stdout)["rows"][0][0] == "c-1"


def several(placed: Placed, count: int, table: str = "facts") -> None:
    for number in range(count):
        placed.claim(table, claim_id=f"c-{number}", predicate=f"p{number}")


def refusal(act: Callable[[], Any]) -> str:
    with pytest.raises(ContextfulError) as refused:
        act()
    return refused.value.identifier
