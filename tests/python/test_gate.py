"""The evidence gate: which claims a recall may serve, and what it says of those it may not."""

import hashlib
import hmac
import json
from collections.abc import Iterator
from typing import Any

import pytest
from placing import Citation, Placed, cited

from contextful_cli import declaration, pepper, recall
from contextful_cli.caller import local_operator
from contextful_cli.reader import Reader
from contextful_cli.settings import Home

EVENT = ("events", "e", 0)
NO_ROW = ("events", "e", 999_999)


@pytest.fixture
def placed(home: Home) -> Iterator[Placed]:
    """A lake with events e:0 … e:4999, two people and one day's visits."""
    lake = Placed(home)
    lake.rows("events", "e", 5000, id="i", note="'note'")
    lake.rows("people", "p", 2, id="['ada', 'bob'][i + 1]", name="'first'")
    lake.rows("visits", "v", 1, place="'hall'", day="date '2026-01-01'", guests="7")
    yield lake
    lake.close()


@pytest.fixture
def reader(home: Home) -> Iterator[Reader]:
    with Reader(local_operator(home, declaration.load(home.project))) as opened:
        yield opened


def recalled(reader: Reader, **asked: Any) -> dict[str, Any]:
    return recall.recall(reader, recall.Request(**{"table": "facts", "subject": "orion"} | asked))


def counts(answer: dict[str, Any]) -> tuple[int, int, int, int]:
    """Rows, unresolved, overflow, stale."""
    block = answer["contextful.recall"]
    suppressed = block["suppressed"]
    return (
        len(answer["rows"]),
        suppressed["MemoryEvidenceUnresolved"],
        suppressed["MemoryEvidenceOverflow"],
        block["stale"],
    )


def column(answer: dict[str, Any], name: str) -> list[Any]:
    at = answer["columns"].index(name)
    return [row[at] for row in answer["rows"]]


UNRESOLVED = {
    "unknown table": cited(("nowhere", "e", 0)),
    "memory table": cited(("facts", "w0", 0)),
    "entities table": cited(("persons", "x", 0)),
    "side table": cited(("facts_letters", "x", 0)),
    "row that is not there": cited(NO_ROW),
    "run that is not there": cited(("events", "f", 0)),
    "negative line": cited(("events", "e", -1)),
    "table in other case": cited(("EVENTS", "e", 0)),
    "one of two": cited(EVENT, NO_ROW),
    "empty": [],
    "null": None,
    "null citation": cited(None),
    "null among them": cited(EVENT, None),
    "null table": cited((None, "e", 0)),
    "null run": cited(("events", None, 0)),
    "null line": cited(("events", "e", None)),
    "blank parts": cited(("", "", 0)),
    "digest of no key": cited(("people", "p", 9, "0" * 64)),
}


@pytest.mark.rule("recall.evidence-unresolved")
def test_a_claim_whose_lineage_does_not_resolve_is_withheld(placed: Placed, reader: Reader) -> None:
    for name, evidence in UNRESOLVED.items():
        placed.claim(claim_id=name, predicate=name, evidence=evidence)
    told = {name: counts(recalled(reader, predicate=name)) for name in UNRESOLVED}
    assert told == dict.fromkeys(UNRESOLVED, (0, 1, 0, 0))


@pytest.mark.rule("recall.evidence-unresolved", "recall.suppression-count")
def test_a_withheld_claim_is_counted_and_not_named(placed: Placed, reader: Reader) -> None:
    placed.claim(claim_id="c-kept", predicate="a")
    placed.claim(claim_id="c-lost", predicate="b", object="unseen", evidence=cited(NO_ROW))
    answer = recalled(reader)
    assert counts(answer) == (1, 1, 0, 0)
    assert column(answer, "claim_id") == ["c-kept"]
    assert "c-lost" not in json.dumps(answer) and "unseen" not in json.dumps(answer)


@pytest.mark.rule("recall.suppression-count")
def test_the_block_is_there_with_both_identifiers_when_nothing_is(placed: Placed, reader: Reader) -> None:
    block = recalled(reader, subject="nobody")["contextful.recall"]
    assert block == {"suppressed": {"MemoryEvidenceUnresolved": 0, "MemoryEvidenceOverflow": 0}, "stale": 0}


@pytest.mark.rule("recall.evidence-unresolved")
def test_evidence_committed_after_the_bound_does_not_resolve(placed: Placed, reader: Reader) -> None:
    stamp = placed.claim(evidence=cited(("events", "later", 0)))
    placed.rows("events", "later", 1, id="1")
    as_of = recall.instants.format_us(stamp)
    assert counts(recalled(reader, as_of_ingest=as_of)) == (0, 1, 0, 0)
    assert counts(recalled(reader)) == (1, 0, 0, 0)


@pytest.mark.rule("recall.evidence-references", "recall.keyed-gate")
@pytest.mark.parametrize(("citations", "shown", "omitted"), [(1, 1, 0), (255, 255, 0), (256, 256, 0), (257, 256, 1)])
def test_the_first_256_citations_are_shown(
    placed: Placed, reader: Reader, citations: int, shown: int, omitted: int
) -> None:
    placed.claim(evidence=events(reversed(range(citations))))
    answer = recalled(reader)
    assert [citation["seq"] for citation in column(answer, "evidence")[0]] == list(range(shown))
    assert column(answer, "evidence_omitted") == [omitted]


@pytest.mark.rule("recall.evidence-references")
def test_of_300_citations_44_are_omitted_in_table_run_line_order(placed: Placed, reader: Reader) -> None:
    placed.rows("events", "a", 1, id="0")
    mixed = [*(("events", "e", seq) for seq in range(10, 308)), ("visits", "v", 0), ("events", "a", 0)]
    placed.claim(evidence=cited(*mixed))
    answer = recalled(reader)
    shown = [tuple(citation.values()) for citation in column(answer, "evidence")[0]]
    # Of the 300, run a sorts first, then e:10 … e:307; table visits would be last and is among the omitted.
    assert shown == [("events", "a", 0), *(("events", "e", seq) for seq in range(10, 265))]
    assert column(answer, "evidence_omitted") == [44]


@pytest.mark.rule("recall.keyed-gate", "recall.evidence-unresolved")
def test_an_omitted_citation_withholds_the_claim_too(placed: Placed, reader: Reader) -> None:
    placed.claim(evidence=events([*range(289), 999_999, *range(290, 300)]))
    assert counts(recalled(reader)) == (0, 1, 0, 0)


@pytest.mark.rule("recall.evidence-gate-bound")
@pytest.mark.parametrize(("citations", "expected"), [(4096, (1, 0, 0, 0)), (4097, (0, 0, 1, 0))])
def test_more_than_4096_citations_overflow(placed: Placed, reader: Reader, citations: int, expected: Any) -> None:
    placed.claim(evidence=events(range(citations)))
    answer = recalled(reader)
    assert counts(answer) == expected
    assert column(answer, "evidence_omitted") == [4096 - 256] * expected[0]


@pytest.mark.rule("recall.evidence-gate-bound")
def test_overflow_is_counted_once_whatever_the_citations_are(placed: Placed, reader: Reader) -> None:
    placed.claim(evidence=events([999_999] * 4097))
    assert counts(recalled(reader)) == (0, 0, 1, 0)


@pytest.mark.rule("recall.evidence-references")
def test_a_row_cited_twice_counts_twice(placed: Placed, reader: Reader) -> None:
    placed.claim(evidence=cited(EVENT, EVENT))
    answer = recalled(reader)
    assert counts(answer) == (1, 0, 0, 0)
    assert column(answer, "evidence") == [[{"table": "events", "run": "e", "seq": 0}] * 2]


@pytest.mark.rule("recall.evidence-stale")
def test_a_claim_on_a_replaced_version_is_served_and_counted(placed: Placed, reader: Reader) -> None:
    stamp = placed.claim(evidence=cited(("people", "p", 0)))
    assert counts(recalled(reader)) == (1, 0, 0, 0)
    placed.rows("people", "p2", 1, id="'ada'", name="'second'")
    answer = recalled(reader)
    assert counts(answer) == (1, 0, 0, 1)
    assert column(answer, "evidence") == [[{"table": "people", "run": "p", "seq": 0}]]
    as_of = recall.instants.format_us(stamp)
    assert counts(recalled(reader, as_of_ingest=as_of)) == (1, 0, 0, 0)


@pytest.mark.rule("recall.evidence-stale")
def test_staleness_is_of_the_key_and_not_of_the_table(placed: Placed, reader: Reader) -> None:
    placed.claim(evidence=cited(("people", "p", 0), ("visits", "v", 0), EVENT))
    placed.rows("people", "p2", 1, id="'bob'", name="'second'")
    placed.rows("visits", "v2", 1, place="'hall'", day="date '2026-01-02'", guests="8")
    placed.rows("events", "e2", 5, id="i", note="'note'")
    assert counts(recalled(reader)) == (1, 0, 0, 0)
    placed.rows("visits", "v3", 1, place="'hall'", day="date '2026-01-01'", guests="9")
    assert counts(recalled(reader)) == (1, 0, 0, 1)


@pytest.mark.rule("recall.evidence-stale")
def test_a_claim_with_several_stale_citations_counts_once(placed: Placed, reader: Reader) -> None:
    placed.claim(evidence=cited(("people", "p", 0), ("people", "p", 1)))
    placed.rows("people", "p2", 2, id="['ada', 'bob'][i + 1]", name="'second'")
    placed.rows("people", "p3", 2, id="['ada', 'bob'][i + 1]", name="'third'")
    assert counts(recalled(reader)) == (1, 0, 0, 1)


@pytest.mark.rule("recall.evidence-stale")
def test_the_later_of_two_rows_of_one_run_is_the_live_one(placed: Placed, reader: Reader) -> None:
    placed.rows("people", "both", 2, id="'cyd'", name="'n' || i")
    placed.claim(claim_id="c-0", predicate="a", evidence=cited(("people", "both", 0)))
    placed.claim(claim_id="c-1", predicate="b", evidence=cited(("people", "both", 1)))
    assert counts(recalled(reader, predicate="a")) == (1, 0, 0, 1)
    assert counts(recalled(reader, predicate="b")) == (1, 0, 0, 0)


@pytest.mark.rule("recall.evidence-key", "recall.evidence-stale")
def test_a_row_that_is_gone_is_stood_for_by_its_keys_live_version(placed: Placed, reader: Reader) -> None:
    digest = key_digest(placed.home, "people", "3:ada")
    placed.claim(evidence=cited(("people", "p", 0, digest)))
    assert counts(recalled(reader)) == (1, 0, 0, 0)
    placed.rows("people", "p2", 1, id="'ada'", name="'second'")
    placed.gone("people", "p", 0)
    answer = recalled(reader)
    assert counts(answer) == (1, 0, 0, 1)
    assert column(answer, "evidence") == [[{"table": "people", "run": "p", "seq": 0, "key_digest": digest}]]
    placed.gone("people", "p2", 0)
    assert counts(recalled(reader)) == (0, 1, 0, 0)


@pytest.mark.rule("recall.evidence-key")
def test_a_digest_stands_for_its_own_table_and_key_only(placed: Placed, reader: Reader) -> None:
    ada = key_digest(placed.home, "people", "3:ada")
    placed.claim(claim_id="c-0", predicate="a", evidence=cited(("people", "x", 0, ada)))
    placed.claim(claim_id="c-1", predicate="b", evidence=cited(("visits", "x", 0, ada)))
    placed.claim(claim_id="c-2", predicate="c", evidence=cited(("events", "x", 0, ada)))
    placed.claim(claim_id="c-3", predicate="d", evidence=cited(("people", "x", 0, ada), ("people", "x", 1, ada)))
    answer = recalled(reader)
    assert sorted(column(answer, "claim_id")) == ["c-0", "c-3"]
    assert counts(answer) == (2, 2, 0, 2)


@pytest.mark.rule("recall.evidence-key")
def test_a_key_that_came_after_the_bound_does_not_stand_for_a_row(placed: Placed, reader: Reader) -> None:
    stamp = placed.claim(evidence=cited(("people", "x", 0, key_digest(placed.home, "people", "3:eve"))))
    placed.rows("people", "p2", 1, id="'eve'", name="'late'")
    assert counts(recalled(reader, as_of_ingest=recall.instants.format_us(stamp))) == (0, 1, 0, 0)
    assert counts(recalled(reader)) == (1, 0, 0, 1)


@pytest.mark.rule("recall.keyed-evidence-batch")
def test_the_number_of_statements_does_not_grow_with_citations(placed: Placed, reader: Reader) -> None:
    few, many = "few", "many"
    placed.rows("events", "other", 50, id="i")
    placed.claim(subject=few)
    for number in range(20):
        evidence = cited(*(("events", run, seq) for run in ("e", "other") for seq in range(number, number + 25)))
        placed.claim(claim_id=f"c-{number}", subject=many, predicate=f"p{number}", evidence=evidence)
    executed = [
        recall.recall(reader, recall.Request("facts", subject), internals=True)["contextful.internals"]["sql"]
        for subject in (few, many)
    ]
    assert executed[0] == executed[1] and len(executed[0]) == 1


@pytest.mark.rule("recall.evidence-no-value")
def test_an_answer_holds_no_value_of_a_cited_row(placed: Placed, reader: Reader) -> None:
    placed.rows("people", "s", 1, id="'the-secret-key'", name="'the-secret-name'")
    placed.claim(evidence=cited(("people", "s", 0, key_digest(placed.home, "people", "14:the-secret-key"))))
    answer = recalled(reader)
    assert set(column(answer, "evidence")[0][0]) == {"table", "run", "seq", "key_digest"}
    assert "the-secret" not in json.dumps(answer)


def events(numbers: Any) -> list[Any]:
    citations: list[Citation] = [("events", "e", number) for number in numbers]
    return cited(*citations)


def key_digest(home: Home, table: str, row_key: str) -> str:
    """By the standard library: HMAC-SHA256 of the table's name, after its length in eight bytes, and the key's text."""
    message = len(table).to_bytes(8, "big") + table.encode() + row_key.encode()
    return hmac.new(pepper.read(home), message, hashlib.sha256).hexdigest()
