"""A report as CSV: a line for each group and bin, for a spreadsheet or a loader."""

import csv
import io
from typing import Any

BIN = ("lower_edge", "upper_edge", "samples", "positives", "mean_score", "frequency", "frequency_low", "frequency_high")
GROUP = (
    "is_small",
    "registered_late",
    "base_rate",
    "brier",
    "reliability",
    "resolution",
    "uncertainty",
    "within_bin",
    "ece",
    "mce",
    "log_score",
    "sharpness",
    "held_out",
    "raw_brier",
    "mapped_brier",
    "is_validated",
    "mapped_ece",
)


def csv_text(made: dict[str, Any]) -> str:
    """The text, its header first; floats in full, what is not known empty, group columns repeated in each line."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(("table", "shape", "predicate", *BIN, "group_samples", *GROUP))
    for group in made["groups"]:
        named = (made["table"], group["shape"], group["predicate"])
        scores = [_plain(group[name]) for name in ("samples", *GROUP)]
        writer.writerows((*named, *(one[name] for name in BIN), *scores) for one in group["bins"])
    return text.getvalue()


def _plain(value: object) -> object:
    return str(value).lower() if isinstance(value, bool) else value
