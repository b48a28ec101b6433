"""`memory calibration`: what it prints, keeps, writes and fails on; and the batch tables beside it."""

import csv
import io
import json
import re
import shutil
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from conftest import REPOSITORY, Ran
from forecasting import Forecast, land
from rich.console import Console

from contextful_cli import calibration, instants, lake, warehouse
from contextful_cli.caller import local_operator
from contextful_cli.reliability import page, terminal
from contextful_cli.settings import Home
from contextful_cli.tables import Table

Cli = Callable[..., Ran]
RULE = pytest.mark.rule("settle.calibration-verb")
# Of 0.8, 24 of 40 come true; but all of those that are held out, so that no map helps.
SURE = [Forecast(0.8, number % 5 in (0, 1, 4)) for number in range(40)]
DAY = "2020-01-01"


@pytest.fixture
def report(cli: Cli) -> Callable[..., Any]:
    """The report of odds as a program gets it."""
    return lambda *options: cli("memory", "calibration", "--table", "odds", *options).json


@RULE
def test_a_claim_its_registration_and_its_observation_make_a_forecast(cli: Cli, report: Callable[..., Any]) -> None:
    claim = {"subject": "orion", "predicate": "wins", "object": "home", "confidence": 0.7, "evidence": []}
    claim_id = cli("memory", "write", "--into", "odds", "--claim", json.dumps(claim)).json["claim_id"]
    registration = {
        "prediction_id": claim_id,
        "subject": "orion",
        "predicted_at": "2020-01-01T00:00:00Z",
        "deadline_at": "2020-01-01",
        "resolution_source": "manual",
    }
    cli("memory", "predict", "--into", "bets", "--registration", json.dumps(registration))
    assert report()["predictions"]["overdue"] == 1
    observation = {
        "prediction_id": claim_id,
        "observed_at": "2020-01-03T00:00:00Z",
        "verdict": True,
        "resolution_source": "manual",
        "settling_citation": "https://example.org",
    }
    cli("memory", "observe", "--into", "results", "--observation", json.dumps(observation))
    made = report()
    assert made["predictions"] == {"settled": 1, "open": 0, "overdue": 0, "annulled": 0, "unlabelled": 0}
    (group,) = made["groups"]
    assert (made["table"], made["joined"], group["predicate"], group["samples"]) == ("odds", 1, "wins", 1)
    assert group["brier"] == pytest.approx(0.09)


@RULE
def test_a_table_without_outcomes_has_a_report_without_groups(report: Callable[..., Any]) -> None:
    made = report()
    assert (made["joined"], made["groups"]) == (0, [])
    assert made["window"] == {"since": None, "until": None, "inclusive": {}}


@pytest.mark.rule("synthesize.confidence-calibration")
def test_a_claim_counts_as_it_was_first_asserted(home: Home, cli: Cli, report: Callable[..., Any]) -> None:
    """What was said again later, and better, changes nothing; nor does a retraction."""
    land(home, Forecast(0.25, True, name="c-1"))
    land(home, Forecast(0.95, True, name="c-1"))
    cli("memory", "retract", "--table", "odds", "--claim-id", "c-1", "--reason", "wrong")
    (group,) = report()["groups"]
    assert (group["samples"], group["mean_score"]) == (1, 0.25)


@pytest.mark.rule("declare.settlement-shapes", "settle.label-join")
def test_the_newest_observation_of_a_prediction_counts(home: Home, report: Callable[..., Any]) -> None:
    land(home, Forecast(0.5, None, name="c-1", signal="annulled"))
    assert report()["predictions"]["annulled"] == 1
    land(home, Forecast(0.5, False, name="c-1"))
    made = report()
    assert (made["predictions"]["annulled"], made["predictions"]["settled"], made["joined"]) == (0, 1, 1)


@RULE
def test_bounds_are_echoed_and_a_date_ends_with_its_day(home: Home, report: Callable[..., Any]) -> None:
    land(home, Forecast(0.5), Forecast(0.5, observed_at="2020-01-02T00:00:00Z"))
    made = report("--since", DAY, "--until", DAY)
    assert made["joined"] == 1
    assert made["window"] == {
        "since": "2020-01-01T00:00:00.000000000Z",
        "until": "2020-01-02T00:00:00.000000000Z",
        "inclusive": {"since": True, "until": False},
    }
    assert report("--since", "2020-01-01T06:00:00.000000001Z")["joined"] == 1
    assert report("--until", "2020-01-02T00:00:00Z")["joined"] == 2


@RULE
@pytest.mark.parametrize(
    ("options", "identifier", "words"),
    [
        (["--table", "nope"], "EnforceUnknownRelation", "nope"),
        (["--table", "people"], "MemoryRecallNotClaims", "source table"),
        (["--table", "bets"], "MemoryRecallNotClaims", "predictions"),
        (["--table", "facts"], "ArgumentMalformed", "declare `labels: <outcomes table>`"),
        (["--table", "odds", "--fail-over", "1.01"], "ArgumentMalformed", "[0, 1]"),
        (["--table", "odds", "--fail-over", "-0.1"], "ArgumentMalformed", "[0, 1]"),
        (["--table", "odds", "--fail-over", "nan"], "ArgumentMalformed", "[0, 1]"),
        (["--table", "odds", "--json", "--csv"], "ArgumentMalformed", "one of --json and --csv"),
        (["--table", "odds", "--since", "soon"], "InstantMalformed", "since"),
        (["--table", "odds", "--until", "2020-02-30"], "InstantMalformed", "until"),
        (["--table", "odds", "--since", "2020-01-02", "--until", "2019-12-31"], "ArgumentMalformed", "after"),
        (["--table", "odds", "--html", "/nowhere/page.html"], "StorageFailed", "/nowhere/page.html"),
    ],
)
def test_refusals(cli: Cli, options: list[str], identifier: str, words: str) -> None:
    ran = cli("memory", "calibration", *options)
    assert (ran.code, ran.out) == (1, "")
    assert ran.err.startswith(f"{identifier}: ")
    assert words in ran.err


@RULE
def test_csv_has_a_line_for_each_group_and_bin(home: Home, cli: Cli) -> None:
    land(home, *SURE, Forecast(0.1, False, predicate='a "quoted", name'))
    lines = list(csv.DictReader(io.StringIO(cli("memory", "calibration", "--table", "odds", "--csv").out)))
    assert len(lines) == 20
    assert {line["predicate"] for line in lines} == {"wins", 'a "quoted", name'}
    (bin_of_all,) = [line for line in lines if line["predicate"] == "wins" and line["samples"] != "0"]
    assert (bin_of_all["lower_edge"], bin_of_all["samples"], bin_of_all["positives"]) == ("0.8", "40", "24")
    assert (bin_of_all["group_samples"], bin_of_all["is_small"], float(bin_of_all["ece"])) == (
        "40",
        "false",
        pytest.approx(0.2),
    )


class TestSaving:
    def test_a_report_that_says_the_same_is_stored_once(self, home: Home, tables: list[Table], cli: Cli) -> None:
        land(home, *SURE)
        for _ in range(2):
            cli("memory", "calibration", "--table", "odds", "--until", DAY, "--save")
        assert stored(home) == 1
        assert [one["until"] for one in calibration.trend(local_operator(home, tables), "odds")] == [
            "2020-01-01T23:59:59.999999Z"
        ]

    def test_a_changed_report_takes_the_place_of_its_window(self, home: Home, tables: list[Table], cli: Cli) -> None:
        for rows in (SURE, [Forecast(0.8, name=f"q-{number}") for number in range(9)]):
            land(home, *rows)
            cli("memory", "calibration", "--table", "odds", "--until", DAY, "--save")
        assert stored(home) == 2
        (one,) = calibration.trend(local_operator(home, tables), "odds")
        assert one["report"]["joined"] == 49

    def test_windows_make_a_trend_in_order_of_their_ends(self, home: Home, tables: list[Table], cli: Cli) -> None:
        land(home, *SURE)
        for options in (["--until", "2020-01-02"], ["--until", DAY], ["--since", DAY, "--until", DAY]):
            cli("memory", "calibration", "--table", "odds", *options, "--save")
        kept = calibration.trend(local_operator(home, tables), "odds")
        assert [(one["since"] or "")[:10] + "…" + one["until"][:10] for one in kept] == [
            "…2020-01-01",
            "2020-01-01…2020-01-01",
            "…2020-01-02",
        ]
        assert all(one["report"]["joined"] == 40 for one in kept)

    def test_without_an_end_the_saved_window_ends_with_today(self, home: Home, cli: Cli) -> None:
        land(home, *SURE)
        made = cli("memory", "calibration", "--table", "odds", "--save").json
        until = instants.stored("until", made["window"]["until"][:26] + "Z")
        now = lake.clocks.read(home).now()
        assert 0 < until - now <= 86_400_000_000
        assert made["window"]["inclusive"] == {"until": False}
        assert stored(home) == 1


def stored(home: Home) -> int:
    """How many reports the lake holds."""
    con = lake.open_lake(home)
    (rows,) = con.execute(f"select count(*) from landing.main.{calibration.SAVED}").fetchone()
    con.close()
    return rows


class TestFailing:
    @pytest.mark.parametrize(("threshold", "code"), [("0.19", 1), ("0.21", 0), ("0", 1), ("1", 0)])
    def test_the_worst_group_of_thirty_decides(self, home: Home, cli: Cli, threshold: str, code: int) -> None:
        """Its calibration error is 0.2; the other's 0.9 is of 29 samples."""
        land(home, *SURE, *[Forecast(0.9, False, predicate="loses") for _ in range(29)])
        ran = cli("memory", "calibration", "--table", "odds", "--fail-over", threshold)
        assert (ran.code, ran.json["joined"]) == (code, 69)
        assert ("wins: calibration error 0.2000" in ran.err) == bool(code)

    def test_a_validated_map_counts_as_served(self, home: Home, cli: Cli) -> None:
        """Nothing comes true of what is called sure: raw the error is 0.9, mapped nothing."""
        land(home, *[Forecast(0.9, False) for _ in range(30)])
        ran = cli("memory", "calibration", "--table", "odds", "--fail-over", "0.5")
        (group,) = ran.json["groups"]
        assert (group["is_validated"], group["mapped_ece"], group["ece"]) == (True, 0, pytest.approx(0.9))
        assert ran.code == 0

    def test_small_groups_fail_nothing_and_it_is_said(self, home: Home, cli: Cli) -> None:
        land(home, *[Forecast(0.9, False) for _ in range(29)])
        ran = cli("memory", "calibration", "--table", "odds", "--fail-over", "0")
        assert ran.code == 0
        assert "no group has 30 samples" in ran.err


class TestPage:
    def test_it_stands_alone(self, home: Home, cli: Cli, tmp_path: Path) -> None:
        land(home, *SURE)
        file = tmp_path / "page.html"
        assert cli("memory", "calibration", "--table", "odds", "--html", str(file)).json["joined"] == 40
        text = file.read_text()
        assert not re.search(r"<script|https?://|@import|url\(", text)
        assert "prefers-color-scheme: dark" in text
        assert [one.name for one in tmp_path.iterdir() if one.suffix == ".html"] == ["page.html"]

    def test_texts_of_claims_are_escaped(self, home: Home, cli: Cli, tmp_path: Path) -> None:
        land(home, Forecast(0.8, predicate="<script>alert('x')</script> \x1b[2J &amp; \"q\""))
        file = tmp_path / "page.html"
        cli("memory", "calibration", "--table", "odds", "--html", str(file))
        text = file.read_text()
        assert "<script" not in text
        assert "\x1b" not in text
        assert "&lt;script&gt;alert(&#39;x&#39;)&lt;/script&gt; \ufffd[2J &amp;amp; &#34;q&#34;" in text

    def test_small_groups_and_what_is_not_validated_are_said(self, home: Home, cli: Cli, tmp_path: Path) -> None:
        land(home, Forecast(0.8), *[Forecast(0.9, predicate="loses") for _ in range(4)])
        file = tmp_path / "page.html"
        cli("memory", "calibration", "--table", "odds", "--html", str(file))
        text = " ".join(file.read_text().split())
        assert text.count("A small group, fewer than 30") == 2
        assert text.count("No forecast is held out yet") == 2
        assert "stepped line" in text

    def test_saved_reports_draw_a_trend(self, home: Home, cli: Cli, tmp_path: Path) -> None:
        """A report that is not saved draws none, and reports of a period keep out of those since ever."""
        land(home, *SURE)
        file = tmp_path / "page.html"
        for until in (DAY, "2020-01-02"):
            cli("memory", "calibration", "--table", "odds", "--until", until, "--save")
        cli("memory", "calibration", "--table", "odds", "--since", DAY, "--until", DAY, "--html", str(file))
        assert "polyline" not in file.read_text()
        cli("memory", "calibration", "--table", "odds", "--until", "2020-01-03", "--html", str(file))
        assert file.read_text().count("<title>until") == 4
        cli("memory", "calibration", "--table", "odds", "--until", "2020-01-03", "--html", str(file), "--save")
        assert file.read_text().count("<title>until") == 6

    def test_a_write_that_fails_leaves_the_old_page(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        file = tmp_path / "page.html"
        file.write_text("old")

        def refuse(*_: object) -> None:
            raise OSError(28, "No space left on device")

        monkeypatch.setattr(Path, "replace", refuse)
        empty = {"table": "odds", "window": {"since": None, "until": None, "inclusive": {}}, "joined": 0, "groups": []}
        counts = dict.fromkeys(calibration.STATES, 0)
        with pytest.raises(Exception, match="No space left"):
            page.write(str(file), empty | {"predictions": counts}, [])
        assert [one.read_text() for one in tmp_path.iterdir()] == ["old"]


class TestTerminal:
    def test_it_fits_eighty_columns(self, home: Home, tables: list[Table]) -> None:
        land(home, *SURE, *[Forecast(number / 11, predicate="a predicate of some length") for number in range(12)])
        lines = printed(calibration.report(local_operator(home, tables), "odds", calibration.Window())).splitlines()
        assert max(map(len, lines)) <= 80
        assert any("a small group" in line for line in lines)
        assert sum(line.startswith("0.8-0.9") for line in lines) == 2

    def test_it_says_when_there_is_nothing_to_say(self, home: Home, tables: list[Table]) -> None:
        assert "Nothing to score" in printed(
            calibration.report(local_operator(home, tables), "odds", calibration.Window())
        )


def printed(made: dict[str, Any]) -> str:
    text = io.StringIO()
    console = Console(file=text, width=80, markup=False, highlight=False, emoji=False)
    for part in terminal.shown(made):
        console.print(part)
    return text.getvalue()


@pytest.mark.rule("settle.calibration-report", "settle.settling-citation")
def test_batch_tables_say_what_the_report_says(home: Home, tmp_path: Path) -> None:
    """By the data test that the sample's tables have, on the tables of the test project."""
    land(home, *SURE, *[Forecast(number / 97, number % 3 == 0, predicate="draws") for number in range(98)])
    project = shutil.copytree(home.project, tmp_path / "project")
    test = (REPOSITORY / "tests/data/calibration_tables_and_report_agree.sql").read_text()
    (project / "tests/data/agree.sql").write_text(test.replace("forecast_claims", "odds"))
    (project / "tests/data/known.sql").write_text(
        "select 1 as missing where (select count(*) from {{ ref('calibration_groups') }}) <> 2\n"
        "union all select 1 from {{ ref('labels') }} having count(settling_citation) <> 138"
    )
    results = warehouse.build(
        Home(project=project, root=home.root), ["--select", "path:models/settlement", "calibration_report"]
    )
    ran = {result.node.split(".")[2] for result in results if result.node.startswith("test.")}
    assert {"agree", "known"} <= ran


def test_the_verb_draws_on_a_terminal(cli: Cli, home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    land(home, *SURE)
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    assert "settled predictions belong to a claim" in cli("memory", "calibration", "--table", "odds").out
