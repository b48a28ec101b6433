"""Figures of calibration over settled predictions, against scikit-learn fitting the same groups from memory."""

import statistics
import time
from dataclasses import dataclass

import duckdb
import numpy
from sklearn.isotonic import IsotonicRegression
from workshop import Workshop

from contextful_cli import calibration, lake, warehouse

GROUPS = 100
REPEATS = 5
MODELS = ("calibration_maps", "calibration_bins", "calibration_groups")
# Forecasts that promise a little too much at both ends; what came of them is a hash of their number.
CLAIMS = """
insert into landing.main.odds by name
select
    'c-' || lpad(to_hex(hash(i)), 16, '0') as claim_id, 'game ' || i as subject, 'winner ' || i % {groups} as predicate,
    'home' as object, 'curated' as tier, hash(i + 7) % 1000000007 / 1000000007 as confidence,
    timestamptz '2020-01-01' as valid_from, [] as evidence, 'bench' as grant_id, 'bench' as _run_id, i as _row_seq,
    make_timestamp_ns({stamp}) as _ingested_at
from range({rows}) as t(i)
"""
REGISTRATIONS = """
insert into landing.main.bets by name
select
    claim_id as prediction_id, subject, valid_from as predicted_at, valid_from + interval 1 day as deadline_at,
    false as watch, 'manual' as resolution_source, _run_id, _row_seq, _ingested_at
from landing.main.odds
"""
OBSERVATIONS = """
insert into landing.main.results by name
select
    claim_id as prediction_id, valid_from + interval 1 hour as observed_at,
    hash(claim_id) % 1000000007 / 1000000007 < 0.1 + 0.8 * confidence as verdict, 'manual' as resolution_source,
    'https://example.org' as settling_citation, _run_id, _row_seq, _ingested_at
from landing.main.odds
"""


@dataclass(frozen=True)
class Figures:
    """Median seconds. scikit_learn: its fit of the groups; fit: ours, as dbt times the model; report: fit, bins and
    scores, as dbt times the three models; verb: a report that first reads, judges and joins everything."""

    scikit_learn: float
    fit: float
    report: float
    verb: float


def settle(shop: Workshop, predictions: int) -> None:
    """Settled predictions in 100 groups, each with its claim, into the empty tables odds, bets and results."""
    con = lake.open_lake(shop.home, read_only=False)
    with lake.commit(con, shop.home, "bench") as work:
        work.touch("odds", "bets", "results")
        con.execute(CLAIMS.format(groups=GROUPS, rows=predictions, stamp=work.stamp * 1000))
        con.execute(REGISTRATIONS)
        con.execute(OBSERVATIONS)
    con.close()


def figures(shop: Workshop) -> Figures:
    """All of them, on what `settle` stored, taken by turns: a shared machine changes its pace."""
    warehouse.build(shop.home, ["--select", "+scored_forecasts"])
    groups = _groups(shop)
    rounds = [(*_models(shop), _scikit_learn(groups), _verb(shop)) for _ in range(REPEATS)]
    fit, report, scikit_learn, verb = (statistics.median(one) for one in zip(*rounds, strict=True))
    return Figures(scikit_learn, fit, report, verb)


def _models(shop: Workshop) -> tuple[float, float]:
    """Seconds of the fit, and of all three models, one after the other."""
    selection = ["--select", *MODELS, "--exclude", "resource_type:test", "resource_type:unit_test", "--threads", "1"]
    results = warehouse.build(shop.home, selection, compact=False)
    seconds = {result.node.rpartition(".")[2]: result.seconds for result in results}
    return seconds[MODELS[0]], sum(seconds[name] for name in MODELS)


def _groups(shop: Workshop) -> list[tuple[numpy.ndarray, numpy.ndarray]]:
    """Scores and outcomes of each group that the fit sees."""
    con = duckdb.connect(str(shop.home.root / "warehouse.duckdb"), read_only=True)
    rows = con.execute(
        """select predicate, score, verdict::double as outcome from settlement.scored_forecasts
           where not is_held_out order by predicate"""
    ).fetchnumpy()
    con.close()
    cuts = numpy.flatnonzero(rows["predicate"][1:] != rows["predicate"][:-1]) + 1
    return list(zip(numpy.split(rows["score"], cuts), numpy.split(rows["outcome"], cuts), strict=True))


def _scikit_learn(groups: list[tuple[numpy.ndarray, numpy.ndarray]]) -> float:
    begun = time.perf_counter()
    for scores, outcomes in groups:
        IsotonicRegression().fit(scores, outcomes)
    return time.perf_counter() - begun


def _verb(shop: Workshop) -> float:
    begun = time.perf_counter()
    calibration.report(shop.caller, "odds", calibration.Window())
    return time.perf_counter() - begun
