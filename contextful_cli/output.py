"""Printing: JSON on one line for programs, a table for people. Results go to stdout, all else to stderr."""

import json
import re
import sys
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rich.console import RenderableType

# Stored texts are anyone's: an escape sequence in one must not drive the reader's terminal.
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")


def emit(
    payload: dict[str, Any] | list[Any],
    *,
    as_json: bool,
    table: Callable[[Any], "Iterable[RenderableType]"] | None = None,
) -> None:
    """Print a result: one JSON line when stdout is no terminal or as_json, else what `table` renders of it."""
    if as_json or not sys.stdout.isatty():
        is_utf8 = (sys.stdout.encoding or "").lower().replace("-", "") == "utf8"
        print(json.dumps(payload, ensure_ascii=not is_utf8, allow_nan=False))
        return
    from rich.console import Console

    # Stored texts with brackets are no markup, and their numbers and words no links.
    console = Console(markup=False, highlight=False, emoji=False)
    for part in (table or _default)(payload):
        console.print(part)


def note(text: str) -> None:
    """A hint on stderr for a person at a terminal; a program's stderr begins with an error's identifier instead."""
    if sys.stderr.isatty():
        print(text, file=sys.stderr)


def cell(value: object) -> str:
    """A value for a terminal: null as nothing, lists and objects as JSON, control characters made visible."""
    if value is None:
        return ""
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    return _CONTROL.sub("\N{REPLACEMENT CHARACTER}", text)


def grid(rows: list[dict[str, Any]]) -> "RenderableType":
    """Rows of the same keys as a table where the terminal is wide enough, else one below the other; nothing is cut."""
    from contextful_cli.records import Records

    return Records([{name: cell(value) for name, value in row.items()} for row in rows])


def _default(payload: dict[str, Any] | list[Any]) -> "Iterable[RenderableType]":
    """A line for each fact, a table for each list of objects."""
    facts = payload if isinstance(payload, dict) else {"": payload}
    for name, value in facts.items():
        if isinstance(value, list) and value and all(isinstance(item, dict) for item in value):
            yield grid(value)
        else:
            yield f"{name}  {'none' if value == [] else cell(value)}".strip()
