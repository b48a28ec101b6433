"""`make bench`: the issue's figures as ratios within one run, as JSON (bench/results.json) and as a table.

Each figure names what it is compared with; a bound that is missed exits 1. Times of a machine stand beside the ratios
for orientation only.
"""

import argparse
import json
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path

import calibration
import cold
import points
import served
import windows
import workshop
import writes

SIZES = (10_000, 100_000, 1_000_000)
EVENTS = 5_000_000
RESULTS = Path(__file__).parent / "results.json"


@dataclass(frozen=True)
class Row:
    """One figure at one size. seconds: ours; other: what it is compared with, in seconds; bound: the ratio allowed."""

    figure: str
    claims: int
    seconds: float
    other: float | None = None
    bound: float | None = None
    note: str = ""

    @property
    def ratio(self) -> float | None:
        return self.seconds / self.other if self.other else None

    @property
    def is_missed(self) -> bool:
        return self.bound is not None and self.ratio is not None and self.ratio > self.bound


def measure(claims: int, events: int) -> Iterator[Row]:
    """All figures for one size, in an order in which each leaves the home as the next wants it."""
    with tempfile.TemporaryDirectory() as name:
        shop = workshop.lay(Path(name))
        points.land_events(shop, events)
        made = writes.Made(shop, subjects=max(claims // 10, 1), events=events)
        made.store(claims)
        ours, plain, alike = made.batch(claims)
        yield Row("batch write against a copy of the same JSONL", claims, ours, plain, 10.0)
        yield Row("batch write against a copy into a table laid alike", claims, ours, alike)
        yield Row("batch write, peak memory in GB", claims, made.peak_gigabytes, 1.0, 4.0)
        yield Row("recall from the lake alone, against a bare select", claims, *points.warm_recall(shop, claims), 8.0)
        yield Row("one write, lake alone, against a bare insert", claims, *writes.single(shop, claims), 8.0)
        yield Row("first build", claims, writes.build(shop))
        yield Row("build with nothing new", claims, writes.build(shop), note=writes.slowest(shop))
        yield Row("20 000 claims on one line, against a second", 20_000, windows.one_line(shop), 1.0, 1.0)
        yield Row("supersession over all claims, against one lead()", claims, *windows.all_claims(shop), 3.0)
        made.store(1_000)
        yield Row(
            "recall from copy and 1 000 later rows, against a bare select",
            claims,
            *points.warm_recall(shop, claims),
            3.0,
        )
        yield Row("prepared recall, as a server keeps it", claims, points.prepared_recall(shop, claims))
        yield Row("one write, with a copy, against a bare insert", claims, *writes.single(shop, claims), 4.0)
        for figure, (ours, other) in served.faces(shop, claims).items():
            yield Row(figure, claims, ours, other)
        yield Row("recall as a cold process, against 0.6 s above importing duckdb", claims, *cold.recall(shop), 1.0)
        yield Row("build with 1 000 new claims", claims, writes.build(shop), note=writes.slowest(shop))


def measure_calibration(predictions: int) -> Iterator[Row]:
    """Settled predictions in a home of their own, scored."""
    with tempfile.TemporaryDirectory() as name:
        shop = workshop.lay(Path(name))
        calibration.settle(shop, predictions)
        took = calibration.figures(shop)
        other = took.scikit_learn
        yield Row("isotonic maps of 100 groups, against scikit-learn's fit", predictions, took.fit, other, 8.0)
        yield Row("maps, bins and scores, against the same fit", predictions, took.report, other, 12.0)
        yield Row("memory calibration, from stored rows", predictions, took.verb)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sizes", type=int, nargs="*", default=SIZES, help="how many claims are stored")
    parser.add_argument("--events", type=int, default=EVENTS, help="how many source rows they cite from")
    arguments = parser.parse_args()
    rows: list[Row] = []
    for claims in arguments.sizes:
        for row in measure(claims, arguments.events):
            rows.append(row)
            print(text(row), flush=True)
    for row in measure_calibration(max(arguments.sizes)):
        rows.append(row)
        print(text(row), flush=True)
    RESULTS.write_text(json.dumps([asdict(row) | {"ratio": row.ratio} for row in rows], indent=1) + "\n")
    show(rows)
    sys.exit(any(row.is_missed for row in rows))


def text(row: Row) -> str:
    return f"{row.claims:>9,}  {row.figure}: {row.seconds:.4f} s, ratio {row.ratio and round(row.ratio, 2)} {row.note}"


def show(rows: list[Row]) -> None:
    from rich.console import Console
    from rich.table import Table

    table = Table("claims", "figure", "seconds", "compared with", "ratio", "bound", box=None)
    for row in rows:
        ratio = "" if row.ratio is None else f"{row.ratio:.2f}"
        other = "" if row.other is None else f"{row.other:.4f}"
        bound = "" if row.bound is None else f"{row.bound:g}"
        style = "red" if row.is_missed else ""
        table.add_row(f"{row.claims:,}", row.figure, f"{row.seconds:.4f}", other, ratio, bound, style=style)
    Console().print(table)


if __name__ == "__main__":
    main()
