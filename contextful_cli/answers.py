"""The response object of every read: columns, rows, whether there was more, and the blocks that explain the answer."""

import math
import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from contextful_cli.errors import ContextfulError

if TYPE_CHECKING:
    from contextful_cli.instants import Bound
    from contextful_cli.tables import Table

FACE_ROWS = 10_000
MAX_INT32 = 2**31 - 1


@dataclass(frozen=True, slots=True)
class Ceiling:
    """How many rows an answer may have, and what set it: the table's declaration, the request, or the face."""

    rows: int
    source: str


def ceiling(table: "Table | None", limit: int | str | None) -> Ceiling:
    """The lowest of the table's max_rows, the request's limit and the face's own; of equal ones the first named."""
    bounds = [
        Ceiling(rows, source)
        for rows, source in (
            (table.max_rows if table else None, "table"),
            (_limit(limit), "request"),
            (FACE_ROWS, "face"),
        )
        if rows is not None
    ]
    return min(bounds, key=lambda bound: bound.rows)


def _limit(limit: int | str | None) -> int | None:
    if limit is None:
        return None
    try:
        value = int(limit) if isinstance(limit, str) and limit.isascii() and limit.isdecimal() else limit
    except ValueError:  # more digits than Python reads
        value = 0
    if not isinstance(value, int) or isinstance(value, bool) or value < 1:
        raise ContextfulError("ArgumentMalformed", f"limit is `{limit}`; it takes a whole number, 1 or more")
    return value


class Stopwatch:
    """Milliseconds since it was made."""

    def __init__(self) -> None:
        self._begun = time.perf_counter()

    @property
    def elapsed_ms(self) -> float:
        return round((time.perf_counter() - self._begun) * 1000, 3)


def response(
    columns: Sequence[str],
    rows: Iterable[Sequence[Any]],
    cut_by: Ceiling | None,
    bounds: "Sequence[Bound]" = (),
    recall: dict[str, Any] | None = None,
) -> dict[str, Any]:
    """The object. cut_by: the ceiling where there was more. bounds: those that the caller gave."""
    answer: dict[str, Any] = {
        "columns": list(columns),
        "rows": [[plain(value) for value in row] for row in rows],
        "truncated": cut_by is not None,
    }
    if recall is not None:
        answer["contextful.recall"] = recall
    if bounds:
        inclusive = {bound.name: bound.is_inclusive for bound in bounds}
        answer["contextful.bounds"] = {bound.name: bound.text for bound in bounds} | {"inclusive": inclusive}
    if cut_by is not None:
        answer["contextful.truncation"] = {"by": "rows", "ceiling": cut_by.rows, "source": cut_by.source}
    return answer


def internals(answer: dict[str, Any], sql: Sequence[str], elapsed_ms: float) -> dict[str, Any]:
    """The answer with the SQL that was executed for it, its time and its rows."""
    shown = {"sql": list(sql), "elapsed_ms": elapsed_ms, "row_count": len(answer["rows"])}
    return answer | {"contextful.internals": shown}


def plain(value: Any) -> Any:
    """A value as JSON holds it without loss: wide integers and the floats that are no number become texts."""
    if isinstance(value, float) and not math.isfinite(value):
        return "NaN" if math.isnan(value) else "Infinity" if value > 0 else "-Infinity"
    if isinstance(value, int) and not -MAX_INT32 - 1 <= value <= MAX_INT32:
        return str(value)
    if isinstance(value, list):
        return [_citation(item) if isinstance(item, dict) else plain(item) for item in value]
    return value


def _citation(item: dict[str, Any]) -> dict[str, Any]:
    """A citation; its digest only where it keeps one. seq stays a number, however wide."""
    # rule: recall.evidence-no-value
    return {name: value for name, value in item.items() if name != "key_digest" or value is not None}
