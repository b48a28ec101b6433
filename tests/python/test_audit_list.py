"""What `audit list` finds in the ledger and how it looks, and what doctor says of open files."""

import json
from collections.abc import Callable

import pytest
from conftest import Ran
from ledgers import entry, lines, put
from typer.testing import CliRunner

from contextful_cli import app, doctor
from contextful_cli.ledger import Ledger, listing, terminal
from contextful_cli.ledger.folder import Folder
from contextful_cli.ledger.listing import Filter
from contextful_cli.settings import Home

Cli = Callable[..., Ran]


@pytest.fixture
def place(home: Home) -> Home:
    """A home whose ledger holds five reads."""
    ledger = Ledger(home)
    ledger.append(entry(task="1", claims=("c-1", "c-2"), rows=2))
    ledger.append(entry(task="2", table="people", on_behalf_of="bob", claims=("c-2",)))
    ledger.append(entry(task="3", table=None, outcome="EnforceUnknownRelation", claims=None, rows=0))
    ledger.append(entry(tool="memory.explain", task="4", grant_id="g3", chain=("g3",), claims=()))
    ledger.append(entry(face="mcp", task="5", grant_id=None, on_behalf_of=None, claims=("c-3",)))
    return home


def listed(home: Home, limit: int = 100, **wanted: str) -> list[str]:
    return [one["task"] for one in listing.entries(home, Filter(**wanted), limit)["entries"]]


def test_all_reads_are_listed_newest_first_as_they_were_recorded(place: Home, cli: Cli) -> None:
    told = cli("audit", "list").json
    assert ([one["task"] for one in told["entries"]], told["truncated"]) == (["5", "4", "3", "2", "1"], False)
    kept = json.loads(lines(place)[1])
    assert told["entries"][3] == {name: kept[name] for name in told["entries"][3]}


@pytest.mark.parametrize(
    ("wanted", "expected"),
    [
        ({"table": "facts"}, ["5", "4", "1"]),
        ({"claim_id": "c-2"}, ["2", "1"]),
        ({"claim_id": "c-2' or true --"}, []),
        ({"grant_id": "g3"}, ["4"]),
        ({"on_behalf_of": "bob"}, ["2"]),
        ({"outcome": "EnforceUnknownRelation"}, ["3"]),
        ({"outcome": "answered", "on_behalf_of": "ann", "table": "facts"}, ["4", "1"]),
        ({"until": "2020-01-01"}, []),
        ({"since": "9000-01-01"}, []),
        ({"since": "2020-01-01", "until": "9000-01-01"}, ["5", "4", "3", "2", "1"]),
    ],
)
def test_filters_hold_together(place: Home, wanted: dict[str, str], expected: list[str]) -> None:
    assert listed(place, **wanted) == expected


def test_both_ends_of_a_time_span_belong_to_it(place: Home) -> None:
    at = json.loads(lines(place)[2])["at"]
    assert listed(place, since=at, until=at) == ["3"]
    assert "3" not in listed(place, since=at.replace("Z", "001Z"))


def test_a_limit_cuts_and_says_so(place: Home, cli: Cli) -> None:
    told = cli("audit", "list", "--limit", "2").json
    assert ([one["task"] for one in told["entries"]], told["truncated"]) == (["5", "4"], True)


def test_a_malformed_instant_refuses(home: Home, cli: Cli) -> None:
    assert cli("audit", "list", "--since", "yesterday").err.startswith("InstantMalformed: ")


def test_the_list_goes_over_segments_and_leaves_torn_lines_and_dropped_segments_out(place: Home, cli: Cli) -> None:
    cli("audit", "seal")
    Ledger(place).append(entry(task="6"))
    put(place, [*lines(place, 2), b'{"seq":7,"at":"20'], 2)
    assert listed(place, limit=3) == ["6", "5", "4"]
    # A copy of a dropped segment that lies there again is no part of the ledger.
    text = Folder(place.audit).segment(1).read_bytes()
    assert cli("audit", "seal", "--drop-before", "9000-01-01").json["dropped"] == [1, 2]
    Folder(place.audit).segment(1).write_bytes(text)
    assert listed(place) == []


def test_texts_of_any_kind_are_listed(home: Home) -> None:
    odd = "a\0b\"\\\n\u2028\x1f😀'é"
    Ledger(home).append(entry(task=odd, on_behalf_of=odd, claims=(odd,)))
    assert listed(home, claim_id=odd, on_behalf_of=odd) == [odd]


def test_doctor_finds_a_broken_chain_and_open_files(place: Home) -> None:
    assert list(doctor.CHECKS["read ledger"](place)) == []
    put(place, lines(place)[1:])
    Folder(place.audit).head.chmod(0o644)
    place.audit.chmod(0o755)
    folder, head, broken = doctor.CHECKS["read ledger"](place)
    assert folder.endswith(f"run `chmod 700 {place.audit}`")
    assert head.endswith(f"run `chmod 600 {Folder(place.audit).head}`")
    assert "ledger-000001.jsonl line 1" in broken


def test_a_terminal_shows_a_row_a_read(place: Home, capsys: pytest.CaptureFixture[str]) -> None:
    from rich.console import Console

    console = Console(width=220)
    for part in terminal.shown(listing.entries(place, Filter(), 2)):
        console.print(part)
    shown = capsys.readouterr().out
    assert ("memory.explain" in shown, "There are more" in shown) == (True, True)
    assert list(terminal.shown({"entries": [], "truncated": False})) == ["No read is recorded that matches."]


@pytest.mark.parametrize("verb", ["verify", "list", "seal"])
def test_each_verb_has_a_help_with_an_example(verb: str) -> None:
    app._register()
    said = CliRunner().invoke(app.app, ["audit", verb, "--help"])
    assert (said.exit_code, f"Example: contextful audit {verb}" in said.output) == (0, True)
