"""A report on a terminal: the groups, then the bins of each."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from contextful_cli import output

if TYPE_CHECKING:
    from rich.console import RenderableType
    from rich.table import Table

# More groups than these are a wall of bins; --csv and --html have them all.
SHOWN_GROUPS = 8
STRIP = 25


def shown(made: dict[str, Any]) -> "Iterator[RenderableType]":
    """The report, 80 columns wide."""
    counts = made["predictions"]
    joined = f"{made['joined']:,} of {counts['settled']:,} settled predictions"
    yield f"{made['table']}: {joined} belong to a claim{_observed(made)}"
    yield ", ".join(f"{counts[state]:,} {state}" for state in ("open", "overdue", "annulled", "unlabelled"))
    groups = made["groups"]
    if not groups:
        yield "\nNothing to score: no settled prediction in this window belongs to a claim with a probability."
        return
    yield ""
    yield _groups(groups)
    yield "\nLess is better. raw, mapped: Brier on what the map was not fitted on."
    if len(groups) > SHOWN_GROUPS:
        yield f"The bins of {len(groups)} groups: --csv or --html FILE."
        return
    for group in groups:
        yield f"\n{_headline(group)}"
        yield _bins(group["bins"])
    yield "\n● came true   ─ its 95 % interval   ┃ forecast"


def _observed(made: dict[str, Any]) -> str:
    """The window, where there is one."""
    window = made["window"]
    words = {"since": "since", "until": "until" if window["inclusive"].get("until") else "before"}
    ends = [f"{word} {window[name][:19]}Z" for name, word in words.items() if window[name]]
    return f"\nobserved {' '.join(ends)}" if ends else ""


def _groups(groups: list[dict[str, Any]]) -> "Table":
    table = _table("predicate", "samples", "Brier", "ECE", "worst", "log", "raw", "mapped", "map")
    for group in groups:
        figures = (group[name] for name in ("brier", "ece", "mce", "log_score", "raw_brier", "mapped_brier"))
        kept = "served" if group["is_validated"] else "not served" if group["held_out"] else "none yet"
        samples = f"{group['samples']:,}{' small' if group['is_small'] else ''}"
        table.add_row(_text(group["predicate"]), samples, *(_figure(one) for one in figures), kept)
    return table


def _headline(group: dict[str, Any]) -> str:
    small = " (a small group: figures say little)" if group["is_small"] else ""
    late = f", {group['registered_late']:,} registered late" if group["registered_late"] else ""
    return (
        f"{output.cell(group['predicate'])}: {group['samples']:,} samples{small}{late}\n"
        f"Brier: reliability {group['reliability']:.4f} - resolution {group['resolution']:.4f} "
        f"+ uncertainty {group['uncertainty']:.4f} {_signed(group['within_bin'])}"
    )


def _bins(bins: list[dict[str, Any]]) -> "Table":
    table = _table("forecast", "samples", "mean", "came true", "95 %", "")
    for one in bins:
        edges = f"{one['lower_edge']:.1f}-{one['upper_edge']:.1f}"
        if one["samples"] == 0:
            table.add_row(edges, "0", "", "", "", "")
            continue
        interval = f"{one['frequency_low']:.2f}-{one['frequency_high']:.2f}"
        means = (f"{one['mean_score']:.3f}", f"{one['frequency']:.3f}")
        table.add_row(edges, f"{one['samples']:,}", *means, interval, _strip(one))
    return table


def _strip(one: dict[str, Any]) -> str:
    """The unit interval as a strip: where the forecast is, what came true, and how sure that is."""
    strip = [" "] * STRIP
    low, high = _cell(one["frequency_low"]), _cell(one["frequency_high"])
    strip[low : high + 1] = "─" * (high - low + 1)
    strip[_cell(one["mean_score"])] = "┃"
    strip[_cell(one["frequency"])] = "●"
    return "".join(strip).rstrip()


def _signed(value: float) -> str:
    return f"{'-' if value < 0 else '+'} {abs(value):.4f}"


def _cell(probability: float) -> int:
    return min(int(probability * STRIP), STRIP - 1)


def _figure(value: float | None) -> str:
    return "" if value is None else f"{value:.4f}"


def _text(value: str) -> Any:
    from rich.text import Text

    return Text(output.cell(value), overflow="ellipsis", no_wrap=True)


def _table(first: str, *names: str) -> "Table":
    from rich.table import Table

    table = Table(box=None, pad_edge=False)
    table.add_column(first, overflow="ellipsis", no_wrap=True)
    for name in names:
        table.add_column(name, justify="left" if name in ("", "map", "95 %") else "right", no_wrap=True)
    return table
