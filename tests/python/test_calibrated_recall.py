"""Recall serves the confidence that settled outcomes support, where a validated map says so. Values worked by hand."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from forecasting import Forecast, land

from contextful_cli import clock, declaration, instants, recall
from contextful_cli.caller import local_operator
from contextful_cli.reader import Reader
from contextful_cli.settings import Home

pytestmark = pytest.mark.rule("recall.confidence-label")

# Ten forecasts of 0.9, of which every other came true: the eight to fit on give 0.5, and so do the two held out,
# whose Brier score falls from (0.01 + 0.81) / 2 to 0.25.
BOLD = [Forecast(0.9, number % 2 == 0, f"bold-{number}", "bold") for number in range(10)]
# Ten of 0.5 that came out so: the map says 0.5 again and lowers nothing.
CALM = [Forecast(0.5, number % 2 == 0, f"calm-{number}", "calm") for number in range(10)]
# Too few for a row to be held out.
FEW = [Forecast(0.9, False, f"few-{number}", "few") for number in range(4)]
OPEN = [Forecast(one.score, None, one.name, one.predicate, observed_at=None) for one in BOLD]


@pytest.fixture(autouse=True)
def cited(cli: Callable[..., Any], tmp_path: Path) -> None:
    """The row that every claim cites: without one nothing is served."""
    (tmp_path / "events.csv").write_text("id,note\n1,seed\n")
    assert cli("land", "--table", "events", "--from", str(tmp_path / "events.csv"), "--run-id", "seed").code == 0


@pytest.fixture
def reader(home: Home) -> Reader:
    return Reader(local_operator(home, declaration.load(home.project)))


def served(reader: Reader, **bounds: Any) -> dict[str, tuple[float, str]]:
    """Each predicate's confidence and its label."""
    answer = recall.recall(reader, recall.Request("odds", "orion", **bounds))
    claims = [dict(zip(answer["columns"], row, strict=True)) for row in answer["rows"]]
    return {claim["predicate"]: (claim["confidence"], claim["confidence_label"]) for claim in claims}


@pytest.mark.rule("synthesize.confidence-calibration")
def test_only_a_validated_map_is_served(home: Home, reader: Reader) -> None:
    land(home, *BOLD, *CALM, *FEW)
    assert served(reader) == {
        "bold": (0.5, "calibrated"),
        "calm": (0.5, "uncalibrated"),
        "few": (0.9, "uncalibrated"),
    }


@pytest.mark.rule("settle.label-join")
def test_the_map_is_that_of_the_reads_own_bound(home: Home, reader: Reader) -> None:
    land(home, *OPEN)
    between = instants.format_us(clock.read(home).stamp)
    assert served(reader) == {"bold": (0.9, "uncalibrated")}
    land(home, *BOLD)
    assert served(reader) == {"bold": (0.5, "calibrated")}
    assert served(reader, as_of_ingest=between) == {"bold": (0.9, "uncalibrated")}
    assert served(reader) == {"bold": (0.5, "calibrated")}


def test_a_map_is_a_step_function_of_the_claims_own_confidence(home: Home, reader: Reader) -> None:
    """Scores of 0.2 all came false, of 0.8 all true: steps of 0 and 1, and what lies between takes the lower one's."""
    low = [Forecast(0.2, False, f"a-{number}", "steps") for number in range(5)]
    high = [Forecast(0.8, True, f"b-{number}", "steps") for number in range(5)]
    expected = {0.1: 0.0, 0.2: 0.0, 0.79: 0.0, 0.8: 1.0, 1.0: 1.0}
    for number, (score, value) in enumerate(expected.items()):
        land(home, *low, *high, Forecast(score, None, f"c-{number}", "steps", observed_at=None))
        assert served(reader) == {"steps": (value, "calibrated")}, score


def test_claims_without_labels_stay_as_they_were_said(cli: Callable[..., Any]) -> None:
    evidence = [{"table": "events", "run": "seed", "seq": 0}]
    claim = {"subject": "orion", "predicate": "bold", "object": "home", "confidence": 0.9, "evidence": evidence}
    assert cli("memory", "write", "--into", "facts", "--claim", json.dumps(claim)).code == 0
    answer = cli("memory", "recall", "--table", "facts", "--subject", "orion").json
    found = dict(zip(answer["columns"], answer["rows"][0], strict=True))
    assert (found["confidence"], found["confidence_label"]) == (0.9, "uncalibrated")
