"""Every read leaves its record before its answer leaves: who asked, what was asked of, which claims went out."""

import json
import shutil
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from granting import narrowed, token
from placing import Placed

from contextful_cli.settings import Home

Cli = Callable[..., Any]


@pytest.fixture
def placed(home: Home) -> Iterator[Placed]:
    """Two claims about a secret subject, of which one is withheld."""
    placing = Placed(home)
    placing.rows("events", "e", 1, id="i")
    placing.claim(claim_id="c-served", subject="sub-secret", object="obj-secret", scope="scope-secret")
    placing.claim(claim_id="c-withheld", subject="sub-secret", predicate="other", evidence=[])
    yield placing
    placing.close()


def entries(home: Home) -> list[dict[str, Any]]:
    files = sorted(home.audit.glob("ledger-*.jsonl"))
    return [json.loads(line) for file in files for line in file.read_text().splitlines()]


ASKED = ("memory", "recall", "--table", "facts", "--subject", "sub-secret")


@pytest.mark.rule("recall.usage-ledger", "recall.cli-verb")
def test_a_recall_records_the_claims_it_returned(
    home: Home, placed: Placed, cli: Cli, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = narrowed(token(home, on_behalf_of="ann", agent="planner", host="h-1", read=("facts", "events")), task="t-1")
    monkeypatch.setenv("CONTEXTFUL_TOKEN", made)
    answered = cli(*ASKED, "--observed-at", "2026-02-01T00:00:00Z", "--as-of-ingest", "2090-01-01").json
    assert len(answered["rows"]) == 1
    (entry,) = entries(home)
    chain = cli("token", "inspect").json["revocation_ids"]
    expected = {
        "face": "cli",
        "tool": "memory.recall",
        "table": "facts",
        "outcome": "answered",
        "grant_id": chain[-1],
        "chain": chain,
        "on_behalf_of": "ann",
        "agent": "planner",
        "task": "t-1",
        "host": "h-1",
        "observed_at": "2026-02-01T00:00:00.000000000Z",
        "as_of_ingest": answered["contextful.bounds"]["as_of_ingest"],
        "available_as_of": None,
        "rows": 1,
        "contextful.memory.claims": ["c-served"],
    }
    assert {name: entry[name] for name in expected} == expected


@pytest.mark.rule("recall.usage-ledger")
def test_never_a_subject_or_a_text_or_the_token(
    home: Home, placed: Placed, cli: Cli, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = token(home, read=("facts", "events"))
    monkeypatch.setenv("CONTEXTFUL_TOKEN", made)
    cli(*ASKED, "--scope", "scope-secret", "--predicate", "lead")
    cli(*ASKED, "--observed-at", "no-instant-secret")
    cli("memory", "recall", "--table", "table-secret", "--subject", "sub-secret")
    cli("memory", "subjects", "--table", "facts", "--prefix", "sub-secret")
    assert len(entries(home)) == 4
    kept = "".join(file.read_text() for file in home.audit.glob("ledger-*"))
    assert "secret" not in kept
    assert made not in kept


@pytest.mark.rule("recall.usage-ledger")
def test_without_an_instant_it_is_the_calls(home: Home, placed: Placed, cli: Cli) -> None:
    cli(*ASKED)
    (entry,) = entries(home)
    assert entry["observed_at"] <= entry["at"]
    assert entry["at"][:10] == entry["observed_at"][:10]


@pytest.mark.rule("recall.usage-ledger")
def test_refused_reads_are_recorded_too(home: Home, placed: Placed, cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CONTEXTFUL_TOKEN", token(home, read=("facts",)))
    cli("memory", "recall", "--table", "odds", "--subject", "x")
    cli("memory", "recall", "--table", "nowhere", "--subject", "x")
    cli(*ASKED, "--limit", "0")
    told = [(entry["table"], entry["outcome"], entry["rows"]) for entry in entries(home)]
    assert told == [
        ("odds", "EnforceUnknownRelation", 0),
        (None, "EnforceUnknownRelation", 0),
        ("facts", "ArgumentMalformed", 0),
    ]


@pytest.mark.rule("recall.usage-ledger")
def test_every_read_verb_leaves_an_entry(home: Home, placed: Placed, cli: Cli) -> None:
    for verb in (
        ("recall", "--table", "facts", "--subject", "x"),
        ("subjects", "--table", "facts"),
        ("letters",),
        ("why", "--table", "facts", "--claim-id", "c-served"),
        ("calibration", "--table", "odds", "--json"),
    ):
        assert cli("memory", *verb).code == 0
    tools = [entry["tool"] for entry in entries(home)]
    assert tools == ["memory.recall", "memory.subjects", "memory.letters", "memory.why", "memory.calibration"]


@pytest.mark.rule("recall.usage-ledger")
@pytest.mark.parametrize(
    "damage", ["a file in its place", "the ledger taken away", "no room for a segment", "a damaged head"]
)
def test_no_entry_no_answer(home: Home, placed: Placed, cli: Cli, damage: str) -> None:
    cli(*ASKED)
    if damage == "a file in its place":
        shutil.rmtree(home.audit)
        home.audit.write_text("")
    elif damage == "the ledger taken away":
        shutil.rmtree(home.audit)
    elif damage == "no room for a segment":
        segment = next(home.audit.glob("ledger-*"))
        segment.unlink()
        segment.symlink_to("/dev/full")
    else:
        (home.audit / "head.json").write_text("{}")
    for asked in (
        ASKED,
        ("memory", "subjects", "--table", "facts"),
        ("memory", "recall", "--table", "no", "--subject", "x"),
    ):
        ran = cli(*asked)
        assert (ran.code, ran.out) == (1, "")
        assert ran.err.startswith("AuditEntryUnpersisted")
