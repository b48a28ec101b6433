"""`contextful audit`: the ledger as an operator meets it."""

import json
import shutil
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from placing import Placed

from contextful_cli.settings import Home

Cli = Callable[..., Any]


@pytest.fixture
def read(home: Home, cli: Cli) -> Home:
    """A home with four recorded reads: of a claim, of nothing, of an unknown table, of subjects."""
    placed = Placed(home)
    placed.rows("events", "e", 1, id="i")
    placed.claim(claim_id="c-known")
    placed.close()
    for arguments in (
        ("recall", "--table", "facts", "--subject", "orion"),
        ("recall", "--table", "facts", "--subject", "nobody"),
        ("recall", "--table", "nowhere", "--subject", "orion"),
        ("subjects", "--table", "odds"),
    ):
        cli("memory", *arguments)
    return home


def seqs(listing: Any) -> list[int]:
    return [int(entry["seq"]) for entry in listing.json["entries"]]


def test_list_filters_and_shows_the_newest_first(read: Home, cli: Cli) -> None:
    assert seqs(cli("audit", "list")) == [4, 3, 2, 1]
    assert seqs(cli("audit", "list", "--table", "facts")) == [2, 1]
    assert seqs(cli("audit", "list", "--claim-id", "c-known")) == [1]
    assert seqs(cli("audit", "list", "--claim-id", "c-other")) == []
    assert seqs(cli("audit", "list", "--outcome", "EnforceUnknownRelation")) == [3]
    assert seqs(cli("audit", "list", "--on-behalf-of", "operator")) == [4, 3, 2, 1]
    assert seqs(cli("audit", "list", "--on-behalf-of", "o' or true --")) == []
    assert cli("audit", "list", "--limit", "1").json["truncated"] is True
    tomorrow, today = (f"{datetime.now(UTC) + timedelta(days=days):%Y-%m-%d}" for days in (1, 0))
    assert seqs(cli("audit", "list", "--since", tomorrow)) == []
    assert seqs(cli("audit", "list", "--since", today, "--until", tomorrow)) == [4, 3, 2, 1]


def test_verify_tells_where_a_chain_is_broken(read: Home, cli: Cli) -> None:
    sound = cli("audit", "verify")
    assert (sound.code, sound.json["entries"], sound.json["broken"]) == (0, 4, [])
    segment = next(read.audit.glob("ledger-*"))
    lines = segment.read_text().splitlines(keepends=True)
    segment.write_text("".join([lines[0], lines[1].replace('"rows":0', '"rows":7'), *lines[2:]]))
    broken = cli("audit", "verify")
    assert broken.code == 1
    assert broken.err.startswith("AuditChainBroken: ")
    assert [(one["line"], one["seq"]) for one in broken.json["broken"]] == [(2, 2)]
    assert cli("doctor").code == 1
    assert "read ledger" in json.dumps([one for one in cli("doctor").json["findings"] if one["problem"]])


def test_seal_and_drop(read: Home, cli: Cli) -> None:
    assert cli("audit", "seal").code == 0
    cli("memory", "subjects", "--table", "facts")
    assert seqs(cli("audit", "list")) == [5, 4, 3, 2, 1]
    assert cli("audit", "seal", "--drop-before", "2090-01-01T00:00:00Z").code == 0
    verified = cli("audit", "verify").json
    assert (verified["broken"], verified["dropped"]) == ([], 2)
    assert cli("memory", "subjects", "--table", "facts").code == 0
    assert seqs(cli("audit", "list")) == [6]
    assert cli("audit", "seal", "--drop-before", "yesterday").err.startswith("InstantMalformed")


def test_a_ledger_taken_away_whole_is_missed(read: Home, cli: Cli) -> None:
    shutil.rmtree(read.audit)
    gone = cli("audit", "verify")
    assert (gone.code, len(gone.json["broken"])) == (1, 1)
    refused = cli("memory", "subjects", "--table", "facts")
    assert (refused.code, refused.out) == (1, "")
    assert refused.err.startswith("AuditEntryUnpersisted")


def test_nothing_recorded_yet(cli: Cli) -> None:
    assert cli("audit", "list").json == {"entries": [], "truncated": False}
    assert cli("audit", "verify").json["entries"] == 0
