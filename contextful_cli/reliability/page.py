"""A report as one page for a browser: no network, no script; drawings are SVG."""

import os
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from contextful_cli.errors import ContextfulError

SIDE = 300  # of the unit square, in SVG units
HISTOGRAM = 70
TREND_WIDTH, TREND_HEIGHT = 640, 150
_CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ufffe\uffff]")


def write(path: str, made: dict[str, Any], saved: list[dict[str, Any]]) -> None:
    """Write the page aside and rename it: who opens the file sees the old page or the new one, whole.

    saved: the reports that the trend is drawn of. Raises StorageFailed.
    """
    target = Path(os.path.realpath(path))
    fresh = target.with_name(f".{target.name}.{os.getpid()}")
    text = render(made, saved)
    try:
        try:
            fresh.write_text(text, "utf-8")
            fresh.replace(target)
        finally:
            fresh.unlink(missing_ok=True)
    except OSError as error:
        raise ContextfulError("StorageFailed", f"{path} cannot be written: {error.strerror}") from None


def render(made: dict[str, Any], saved: list[dict[str, Any]]) -> str:
    """The page's HTML. Texts of claims are anyone's: all of them are escaped."""
    from jinja2 import Environment, PackageLoader, StrictUndefined

    environment = Environment(
        loader=PackageLoader("contextful_cli.reliability", "."),
        undefined=StrictUndefined,
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        finalize=_printable,
    )
    environment.filters |= {"x": _x, "y": _y, "figure": _figure, "instant": _instant, "steps": _steps}
    trends = {group["predicate"]: _trend(group["predicate"], made, saved) for group in made["groups"]}
    return environment.get_template("page.html").render(
        made=made, trends=trends, side=SIDE, histogram=HISTOGRAM, width=TREND_WIDTH, height=TREND_HEIGHT
    )


def _printable(value: object) -> object:
    """Characters that no HTML document may hold, made visible."""
    return _CONTROL.sub("\N{REPLACEMENT CHARACTER}", value) if type(value) is str else value


def _x(probability: float) -> str:
    return f"{probability * SIDE:.2f}"


def _y(probability: float) -> str:
    return f"{(1 - probability) * SIDE:.2f}"


def _figure(value: float | None, digits: int = 4) -> str:
    return "–" if value is None else f"{value:.{digits}f}"


def _instant(text: str | None) -> str:
    """An instant to the second; midnight as the day alone."""
    return "" if text is None else f"{text[:10]} {text[11:19]} UTC".replace(" 00:00:00 UTC", "")


def _steps(blocks: list[dict[str, Any]]) -> str:
    """The map as the path of its steps, the first reaching down to 0 and the last up to 1."""
    starts = [0.0, *(block["lowest_score"] for block in blocks[1:])]
    parts = [f"M{_x(0)} {_y(blocks[0]['value'])}"]
    parts += [f"H{_x(start)} V{_y(block['value'])}" for start, block in zip(starts, blocks, strict=True)]
    return " ".join([*parts, f"H{_x(1)}"])


@dataclass(frozen=True)
class Point:
    """A report of the trend. x, brier_y, ece_y: where it stands in the drawing."""

    until: str
    samples: int
    brier: float
    ece: float
    x: str
    brier_y: str
    ece_y: str


@dataclass(frozen=True)
class Trend:
    """The reports of one group by the ends of their windows, and the figure at the top of the drawing."""

    points: list[Point]
    top: float

    def line(self, figure: str) -> str:
        """The points of a polyline."""
        return " ".join(f"{point.x},{getattr(point, f'{figure}_y')}" for point in self.points)


def _trend(predicate: str, made: dict[str, Any], saved: list[dict[str, Any]]) -> Trend:
    """The saved reports of a group by the ends of their windows. Reports since ever and reports of a period do not mix:
    a line between the two would show a change where there is none."""
    alike = [one for one in saved if bool(one["window"]["since"]) == bool(made["window"]["since"])]
    alike.sort(key=lambda one: (one["window"]["until"] or "9999", one["window"]["since"] or ""))
    found = [
        (one["window"]["until"], group) for one in alike for group in one["groups"] if group["predicate"] == predicate
    ]
    top = max((max(group["brier"], group["ece"]) for _, group in found), default=0) * 1.1 or 1.0
    apart = TREND_WIDTH / max(len(found) - 1, 1)
    return Trend([_point(number * apart, top, until, group) for number, (until, group) in enumerate(found)], top)


def _point(x: float, top: float, until: str | None, group: dict[str, Any]) -> Point:
    return Point(
        until=_instant(until) or "now",
        samples=group["samples"],
        brier=group["brier"],
        ece=group["ece"],
        x=f"{x:.2f}",
        brier_y=f"{(1 - group['brier'] / top) * TREND_HEIGHT:.2f}",
        ece_y=f"{(1 - group['ece'] / top) * TREND_HEIGHT:.2f}",
    )
