"""The isotonic map: whatever the forecasts, it rises, fits no worse than they do, and is served only where it helps."""

from collections.abc import Iterator

import numpy as np
import pytest
from forecasting import Desk, Forecast, opened
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from reference.calibration import Group

from contextful_cli.settings import Home

pytestmark = pytest.mark.rule("synthesize.confidence-calibration")
# Few values, so that scores tie; any float besides.
SCORES = st.one_of(st.sampled_from([0.0, 0.1, 0.1 + 0.2, 0.3, 0.5, 0.9, 1.0]), st.floats(0, 1))
FORECASTS = st.lists(st.tuples(SCORES, st.booleans()), min_size=1, max_size=40)


@pytest.fixture(scope="module")
def desk(compiled: Home, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Desk]:
    with opened(compiled, tmp_path_factory.mktemp("maps") / "home") as one:
        yield one


def steps(report: dict, scores: np.ndarray) -> np.ndarray:
    """Scores under the report's map."""
    starts = np.array([block["lowest_score"] for block in report["map"]])
    values = np.array([block["value"] for block in report["map"]])
    return values[np.maximum(np.searchsorted(starts, scores, side="right") - 1, 0)]


@settings(max_examples=100, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(FORECASTS)
def test_a_map_rises_fits_and_is_served_only_where_it_helps(desk: Desk, pairs: list[tuple[float, bool]]) -> None:
    group = Group.of([score for score, _ in pairs], [verdict for _, verdict in pairs])
    forecasts = [Forecast(score, verdict) for score, verdict in pairs]
    report = desk.group(forecasts)
    values = [block["value"] for block in report["map"]]
    assert values == sorted(set(values))
    training = ~group.is_held_out
    fitted = steps(report, group.scores[training])
    np.testing.assert_allclose(fitted, group.mapped(group.scores[training]), rtol=0, atol=1e-12)
    raw, mapped = (np.mean((one - group.outcomes[training]) ** 2) for one in (group.scores[training], fitted))
    assert mapped <= raw + 1e-15
    if not group.is_held_out.any():
        assert (report["held_out"], report["raw_brier"], report["mapped_brier"]) == (0, None, None)
        assert not report["is_validated"]
    else:
        raw, mapped = group.held_out_briers
        assert (report["raw_brier"], report["mapped_brier"]) == pytest.approx((raw, mapped), rel=0, abs=1e-12)
        assert report["is_validated"] == (report["mapped_brier"] < report["raw_brier"])
    served = [(step["lowest_score"], step["value"]) for step in desk.maps(forecasts)]
    blocks = [(block["lowest_score"], block["value"]) for block in report["map"]]
    assert sorted(served) == (blocks if report["is_validated"] else [])


def test_equal_scores_are_pooled_before_anything_else(desk: Desk) -> None:
    """True before false, or false before true: of one score there is one value."""
    for verdicts in ([True, False, False], [False, False, True], [False, True, False]):
        assert blocks(desk, [(0.5, verdict) for verdict in verdicts]) == [(0.5, 3, pytest.approx(1 / 3))]


def test_a_violation_runs_back_through_all_it_reaches(desk: Desk) -> None:
    """Means 0, 1/2, 2/3, 3/4 and then a hundred misses: everything but the first is one block."""
    rising = [(0.1, False), *((score / 10, number > 0) for score in (2, 3, 4) for number in range(score))]
    pairs = [*rising, *[(0.9, False)] * 100]
    spread = [pair for pair in pairs for _ in range(5)]
    found = blocks(desk, spread)
    assert found[0][0] == 0.1
    assert [value for _, _, value in found] == sorted(value for _, _, value in found)
    assert sum(samples for _, samples, _ in found) == len(spread) * 4 // 5


def blocks(desk: Desk, pairs: list[tuple[float, bool]]) -> list[tuple[float, int, float]]:
    """(lowest score, samples, value) of each block."""
    report = desk.group([Forecast(score, verdict) for score, verdict in pairs])
    return [(block["lowest_score"], block["samples"], block["value"]) for block in report["map"]]


def test_a_score_below_the_first_block_takes_its_value(desk: Desk) -> None:
    """The fifth, at 0.05, lies below all that the map was fitted on."""
    forecasts = [Forecast(0.4, verdict) for verdict in (True, False, False, False)] + [Forecast(0.05, True)]
    report = desk.group(forecasts)
    assert report["mapped_brier"] == pytest.approx((0.25 - 1) ** 2)
    assert report["is_validated"]


def test_a_map_that_is_only_as_good_is_not_served(desk: Desk) -> None:
    forecasts = [Forecast(1.0, True)] * 4 + [Forecast(1.0, True)]
    report = desk.group(forecasts)
    assert (report["raw_brier"], report["mapped_brier"], report["is_validated"]) == (0, 0, False)
    assert report["mapped_ece"] is None
    assert desk.maps(forecasts) == []
