"""What takes part in a report, in which bin, and what it says of few forecasts and of strange ones."""

import math
from collections.abc import Iterator

import pytest
from forecasting import DEADLINE, NOW, OBSERVED, PREDICTED, Desk, Forecast, opened
from reference.calibration import Group

from contextful_cli.settings import Home
from contextful_cli.shapes import SHAPES


@pytest.fixture(scope="module")
def desk(compiled: Home, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Desk]:
    with opened(compiled, tmp_path_factory.mktemp("report") / "home") as one:
        yield one


def filled(report: dict) -> dict[int, int]:
    """Samples of the bins that hold any."""
    return {number: one["samples"] for number, one in enumerate(report["bins"]) if one["samples"]}


def near(value: float) -> object:
    return pytest.approx(value, rel=0, abs=1e-12)


@pytest.mark.rule("settle.calibration-report")
@pytest.mark.parametrize("number", range(11))
def test_tenths_fall_in_their_own_bin_however_they_were_computed(desk: Desk, number: int) -> None:
    """Literal, multiplied, divided, added up and counted down: none of these is exact in binary."""
    added = math.fsum([0.1] * number), sum([0.1] * number), 1.0 - sum([0.1] * (10 - number))
    scores = [number / 10, number * 0.1, *added]
    kept = [min(max(score, 0.0), 1.0) for score in scores]
    assert filled(desk.group([Forecast(score) for score in kept])) == {min(number, 9): len(kept)}


@pytest.mark.rule("settle.calibration-report")
def test_what_lies_below_an_edge_stays_below_it(desk: Desk) -> None:
    assert filled(desk.group([Forecast(0.3 - 1e-9), Forecast(0.3), Forecast(0.1 + 0.2)])) == {2: 1, 3: 2}


@pytest.mark.rule("settle.calibration-report")
def test_a_bin_holds_its_lower_edge(desk: Desk) -> None:
    """Right-closed bins, as scikit-learn's curve has them, would put .20 with .15 and give .2333."""
    report = desk.group([Forecast(0.15, False), Forecast(0.20, True), Forecast(0.25, False)])
    assert report["ece"] == near((0.15 + 2 * abs(0.225 - 0.5)) / 3)
    assert round(report["ece"], 4) == 0.2333


@pytest.mark.rule("settle.calibration-report")
def test_certainty_falls_in_the_last_bin(desk: Desk) -> None:
    report = desk.group([Forecast(0.95, True), Forecast(1.0, False)])
    assert filled(report) == {9: 2}
    assert (report["ece"], report["mce"]) == (near(0.475), near(0.475))
    assert report["log_score"] == near((-math.log(0.95) - math.log(2**-52)) / 2)


@pytest.mark.rule("settle.calibration-report")
@pytest.mark.parametrize("verdict", [True, False])
def test_one_sample_is_a_group(desk: Desk, verdict: bool) -> None:
    report = desk.group([Forecast(0.7, verdict)])
    assert (report["samples"], report["is_small"], report["held_out"]) == (1, True, 0)
    assert report["brier"] == near((0.7 - verdict) ** 2)
    assert (report["resolution"], report["uncertainty"], report["sharpness"]) == (0, 0, near(0))
    assert (report["raw_brier"], report["mapped_brier"], report["mapped_ece"]) == (None, None, None)
    assert not report["is_validated"]


@pytest.mark.rule("settle.calibration-report")
@pytest.mark.parametrize("verdict", [True, False])
def test_outcomes_that_are_all_alike_leave_no_uncertainty(desk: Desk, verdict: bool) -> None:
    scores = [0.0, 0.2, 0.5, 0.5, 0.9, 1.0, 0.3]
    report = desk.group([Forecast(score, verdict) for score in scores])
    group = Group.of(scores, [verdict] * len(scores))
    assert report["brier"] == near(group.brier)
    assert report["log_score"] == near(group.log_score)
    assert report["ece"] == near(group.ece)
    assert (report["uncertainty"], report["resolution"]) == (0, 0)
    assert [block["value"] for block in report["map"]] == [float(verdict)]


@pytest.mark.rule("settle.calibration-report")
def test_perfect_certainty_scores_nothing(desk: Desk) -> None:
    report = desk.group([Forecast(0.0, False), Forecast(1.0, True)] * 20)
    assert (report["brier"], report["ece"], report["within_bin"]) == (0, 0, 0)
    assert report["log_score"] == near(-math.log(1 - 2**-52))
    assert (report["is_small"], report["is_validated"]) == (False, False)


@pytest.mark.rule("settle.calibration-report")
def test_empty_bins_show_and_say_nothing(desk: Desk) -> None:
    report = desk.group([Forecast(0.55)])
    assert len(report["bins"]) == 10
    assert report["bins"][0] == {
        "lower_edge": 0.0,
        "upper_edge": 0.1,
        "samples": 0,
        "positives": 0,
        **dict.fromkeys(("mean_score", "frequency", "frequency_low", "frequency_high")),
    }


@pytest.mark.rule("settle.calibration-report")
def test_wilsons_interval_stays_within_its_bounds(desk: Desk) -> None:
    """Three of three: from 0.4385 to 1, by the formula worked by hand."""
    bins = desk.group([Forecast(0.55, True)] * 3)["bins"]
    assert bins[5]["frequency_low"] == pytest.approx(3 / (3 + 1.959963984540054**2))
    assert bins[5]["frequency_high"] == 1.0
    assert desk.group([Forecast(0.55, False)] * 3)["bins"][5]["frequency_low"] == 0.0


@pytest.mark.rule("synthesize.confidence-calibration", "settle.calibration-verb")
def test_only_probabilities_take_part(desk: Desk) -> None:
    odd = [math.nan, math.inf, -math.inf, -0.1, 1.0000000000000002, -5e-324]
    report = desk.group([*map(Forecast, odd), Forecast(0.4, True), Forecast(-0.0, False)])
    assert (report["samples"], report["joined"]) == (2, 8)
    assert report["brier"] == near(0.18)
    assert filled(report) == {0: 1, 4: 1}


@pytest.mark.rule("synthesize.confidence-calibration")
def test_nothing_but_strange_scores_is_no_group(desk: Desk) -> None:
    (row,) = desk.rows([Forecast(math.nan), Forecast(2.0)])
    assert (row["predicate"], row["joined"], row["settled"]) == (None, 2, 2)


@pytest.mark.rule("settle.calibration-verb")
def test_a_settled_prediction_without_a_claim_is_not_joined(desk: Desk) -> None:
    (row,) = desk.rows([Forecast(None), Forecast(0.5)])
    assert (row["settled"], row["joined"], row["samples"]) == (2, 1, 1)


@pytest.mark.rule("settle.calibration-report")
def test_predicates_are_judged_apart(desk: Desk) -> None:
    """Each has its own fold, so that another's forecasts move no split."""
    one = [Forecast(0.9, number % 2 == 0) for number in range(9)]
    other = [Forecast(0.2, False, predicate="draws") for _ in range(4)]
    mixed = [row for pair in zip(one, other, strict=False) for row in pair] + one[4:]
    reports = {row["predicate"]: row for row in desk.rows(mixed)}
    assert {name: (row["samples"], row["held_out"]) for name, row in reports.items()} == {
        "draws": (4, 0),
        "wins": (9, 1),
    }
    assert reports["draws"]["brier"] == near(0.04)


@pytest.mark.rule("settle.calibration-report")
def test_every_fifth_is_held_out_in_the_order_of_ids(desk: Desk) -> None:
    """e is the fifth of its group, whenever it was stored: the only one not fitted on, and the only one that failed."""
    rows = [Forecast(0.5, name != "e", name=name) for name in "bdaec"]
    report = desk.group(rows)
    assert [(block["samples"], block["value"]) for block in report["map"]] == [(4, 1.0)]
    assert (report["held_out"], report["raw_brier"], report["mapped_brier"]) == (1, 0.25, 1.0)


@pytest.mark.rule("settle.calibration-report")
def test_a_window_takes_outcomes_by_when_they_were_observed(desk: Desk) -> None:
    """Both ends are within it; what is open is so now, whatever the window."""
    days = [f"2020-01-01T0{hour}:00:00Z" for hour in range(1, 7)]
    rows = [Forecast(0.5, observed_at=day) for day in days] + [Forecast(0.5, observed_at=None)]
    (report,) = desk.rows(rows, since=days[1], until=days[3])
    assert (report["samples"], report["joined"], report["settled"], report["overdue"]) == (3, 3, 3, 1)


@pytest.mark.rule("settle.calibration-report")
def test_a_report_is_the_same_to_the_last_digit(desk: Desk) -> None:
    rows = [Forecast((number * 7919 % 1000) / 1000, number % 3 == 0) for number in range(3000)]
    first = desk.rows(rows)
    assert all(desk.rows(rows) == first for _ in range(3))


# Label window: what an observation makes of its prediction.


def states(desk: Desk, *rows: Forecast) -> dict[str, int]:
    """How many stand where; states that hold none are left out."""
    report = desk.rows(rows)[0]
    found = {name: report[name] for name in ("settled", "open", "overdue", "annulled", "unlabelled")}
    return {name: count for name, count in found.items() if count}


@pytest.mark.rule("settle.grace-window", "settle.label-join")
@pytest.mark.parametrize(
    ("observed_at", "state"),
    [
        (PREDICTED, "settled"),
        ("2019-12-31T23:59:59.999999Z", "unlabelled"),
        (DEADLINE, "settled"),
        ("2020-01-02T12:00:00Z", "settled"),
        ("2020-01-02T12:00:00.000001Z", "unlabelled"),
        ("2020-01-02T21:00:00+09:00", "settled"),
        ("2020-01-02T04:00:00.000001-08:00", "unlabelled"),
    ],
)
def test_an_observation_labels_from_the_prediction_through_a_day_of_grace(
    desk: Desk, observed_at: str, state: str
) -> None:
    assert states(desk, Forecast(0.5, observed_at=observed_at)) == {state: 1}


@pytest.mark.rule("settle.grace-window")
@pytest.mark.parametrize(("over", "state"), [("", "settled"), (".000001", "unlabelled")])
def test_the_grace_is_a_day_of_seconds_across_a_change_of_clocks(desk: Desk, over: str, state: str) -> None:
    """Berlin's clocks went forward on 29 March 2020: a day of 86 400 s ends an hour later by the wall."""
    observed_at = f"2020-03-29T13:00:00{over}+02:00"
    forecast = Forecast(0.5, deadline_at="2020-03-28T12:00:00+01:00", observed_at=observed_at)
    assert states(desk, forecast) == {state: 1}


@pytest.mark.rule("settle.grace-window")
def test_a_deadline_at_the_end_of_time_has_its_grace(desk: Desk) -> None:
    last = "9999-12-31T23:59:59.999999Z"
    assert states(desk, Forecast(0.5, deadline_at=last, observed_at=last)) == {"settled": 1}


@pytest.mark.rule("settle.label-join")
def test_what_never_labels(desk: Desk) -> None:
    """An open watch and a forecaster's own rating; false is a verdict, and labels."""
    watch = Forecast(0.5, deadline_at=None)
    rated = Forecast(0.5, signal="self-rated")
    assert states(desk, watch, rated, Forecast(0.5, False)) == {"unlabelled": 2, "settled": 1}
    assert desk.group([watch, rated])["samples"] is None


@pytest.mark.rule("settle.label-join")
def test_without_a_verdict_a_prediction_is_annulled_overdue_or_open(desk: Desk) -> None:
    """Overdue begins when no observation could label any more."""
    rows = [
        Forecast(0.5, None, signal="annulled"),
        Forecast(0.5, None, signal="self-rated"),
        Forecast(0.5, observed_at=None, deadline_at="2023-12-31T00:00:00Z"),
        Forecast(0.5, observed_at=None, deadline_at="2023-12-30T23:59:59.999999Z"),
        Forecast(0.5, None, deadline_at=NOW),
        Forecast(0.5, observed_at=None, deadline_at=None),
    ]
    assert states(desk, *rows) == {"annulled": 1, "overdue": 2, "open": 3}


@pytest.mark.rule("settle.calibration-report")
def test_registrations_stored_after_the_fact_are_counted(desk: Desk) -> None:
    """Those of the desk were stored in 1970."""
    early = Forecast(0.5, predicted_at="1960-01-01T00:00:00Z", observed_at="1969-12-31T23:59:59.999999Z")
    exact = Forecast(0.5, predicted_at="1960-01-01T00:00:00Z", observed_at="1970-01-01T00:00:00Z")
    report = desk.group([early, exact, Forecast(0.5, observed_at=OBSERVED)])
    assert (report["samples"], report["registered_late"]) == (3, 1)


@pytest.mark.rule("declare.settlement-shapes")
def test_settlement_shapes_have_a_column_for_each_field() -> None:
    registration = "prediction_id subject predicted_at horizon_secs deadline_at watch resolution_source comparator"
    observation = "prediction_id observed_at verdict resolution_source signal settling_citation metric value"
    assert [*SHAPES["predictions"].columns] == [*registration.split(), "statement", "metric"]
    assert [*SHAPES["outcomes"].columns] == observation.split()
    assert SHAPES["predictions"].key == SHAPES["outcomes"].key == ("prediction_id",)
