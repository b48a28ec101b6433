"""The report on FiveThirtyEight's forecasts, against scikit-learn and numpy."""

import csv
from collections.abc import Iterator

import numpy as np
import pytest
from conftest import REPOSITORY
from forecasting import Desk, Forecast, opened
from reference.calibration import Group

from contextful_cli.settings import Home

pytestmark = pytest.mark.rule("settle.calibration-report", "synthesize.confidence-calibration")
GAMES = {"nba": 8886, "nfl": 1889}
TIED = {"nba": 0, "nfl": 7}


def games(league: str) -> list[Forecast]:
    """The games in the order of the file, ties annulled."""
    with (REPOSITORY / f"samples/forecasts/{league}_games.csv").open() as file:
        rows = list(csv.DictReader(file))
    verdicts = {"0": False, "1": True, "0.5": None}
    return [
        Forecast(float(row["prob1"]), verdict, signal=None if verdict is not None else "annulled")
        for row in rows
        for verdict in [verdicts[row["prob1_outcome"]]]
    ]


@pytest.fixture(scope="module")
def desk(compiled: Home, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Desk]:
    with opened(compiled, tmp_path_factory.mktemp("sources") / "home") as one:
        yield one


@pytest.fixture(scope="module", params=GAMES)
def league(request: pytest.FixtureRequest, desk: Desk) -> tuple[dict, Group]:
    """The report on a league's games, and the games as the reference takes them."""
    rows = games(request.param)
    report = desk.group(rows)
    assert (len(rows), report["annulled"]) == (GAMES[request.param], TIED[request.param])
    settled = [one for one in rows if one.verdict is not None]
    return report, Group.of([one.score for one in settled], [one.verdict for one in settled])


def near(value: float | tuple[float, ...]) -> object:
    return pytest.approx(value, rel=0, abs=1e-12)


def test_scores_are_scikit_learns(league: tuple[dict, Group]) -> None:
    report, group = league
    assert report["samples"] == len(group.scores)
    assert (report["brier"], report["log_score"]) == near((group.brier, group.log_score))


def test_calibration_errors_are_those_of_plain_arithmetic(league: tuple[dict, Group]) -> None:
    report, group = league
    assert (report["ece"], report["mce"]) == near((group.ece, group.mce))
    assert (report["reliability"], report["resolution"], report["uncertainty"]) == near(group.murphy)
    assert report["sharpness"] == near(float(np.var(group.scores)))


def test_the_brier_score_is_the_sum_of_its_parts(league: tuple[dict, Group]) -> None:
    report, _ = league
    parts = report["reliability"] - report["resolution"] + report["uncertainty"] + report["within_bin"]
    assert report["brier"] == near(parts)


def test_the_map_is_scikit_learns_at_the_training_scores(league: tuple[dict, Group]) -> None:
    report, group = league
    training = group.scores[~group.is_held_out]
    starts = np.array([block["lowest_score"] for block in report["map"]])
    values = np.array([block["value"] for block in report["map"]])
    ours = values[np.searchsorted(starts, training, side="right") - 1]
    np.testing.assert_allclose(ours, group.mapped(training), rtol=0, atol=1e-12)


def test_held_out_scores_are_those_of_every_fifth_game(league: tuple[dict, Group]) -> None:
    report, group = league
    assert report["held_out"] == group.is_held_out.sum()
    assert (report["raw_brier"], report["mapped_brier"]) == near(group.held_out_briers)
    held_out = group.scores[group.is_held_out]
    mapped = Group(group.mapped(held_out), group.outcomes[group.is_held_out])
    raw_brier, mapped_brier = group.held_out_briers
    assert report["is_validated"] == (mapped_brier < raw_brier)
    assert report["mapped_ece"] == (near(mapped.ece) if report["is_validated"] else None)
