"""How the answers of reads look on a terminal."""

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from contextful_cli import output

if TYPE_CHECKING:
    from rich.console import RenderableType

_INSTANT = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z")


def claims(answer: dict[str, Any]) -> "Iterator[RenderableType]":
    """Recalled claims: what held, since and until when, on what evidence; below it what was withheld."""
    found = [dict(zip(answer["columns"], row, strict=True)) for row in answer["rows"]]
    if found:
        yield output.grid([_claim(one, found) for one in found])
    else:
        yield "Nothing is known to have held."
    yield from _footnotes(answer)


def _claim(claim: dict[str, Any], found: list[dict[str, Any]]) -> dict[str, Any]:
    shown = {name: claim[name] for name in ("predicate", "object")}
    if any(one["scope"] is not None for one in found):
        shown["scope"] = claim["scope"]
    shown |= {"since": _short(claim["valid_from"]), "until": _short(claim["valid_to"])}
    sure = f"{round(claim['confidence'], 4):g} {claim['confidence_label']}"
    shown |= {"tier": claim["tier"], "confidence": sure}
    return shown | {"evidence": _evidence(claim), "claim_id": claim["claim_id"]}


def _short(instant: str | None) -> str | None:
    """An instant without the parts that are all zero."""
    if instant is None:
        return None
    whole = instant.removesuffix("Z").removesuffix(".000000")
    return whole.removesuffix("T00:00:00") if whole.endswith("T00:00:00") else whole + "Z"


def _evidence(claim: dict[str, Any]) -> str:
    """The first citation, and how many more there are."""
    cited = claim["evidence"]
    more = len(cited) - 1 + claim["evidence_omitted"]
    first = f"{cited[0]['table']}#{cited[0]['run']}:{cited[0]['seq']}"
    return f"{first} +{more}" if more else first


def _footnotes(answer: dict[str, Any]) -> "Iterator[RenderableType]":
    block = answer["contextful.recall"]
    notes = [
        (block["suppressed"]["MemoryEvidenceUnresolved"], "withheld: evidence that is not there"),
        (block["suppressed"]["MemoryEvidenceOverflow"], "withheld: more evidence than is checked"),
        (block["stale"], "on evidence that has since been replaced"),
    ]
    yield from (f"{count} {what}" for count, what in notes if count)
    yield from _facts(answer)


def rows(answer: dict[str, Any]) -> "Iterator[RenderableType]":
    """Rows as a table."""
    found = [dict(zip(answer["columns"], row, strict=True)) for row in answer["rows"]]
    yield output.grid(found) if found else "None."
    yield from _facts(answer)


def _facts(answer: dict[str, Any]) -> "Iterator[RenderableType]":
    if answer["truncated"]:
        cut = answer["contextful.truncation"]
        yield f"There is more: the {cut['source']}'s ceiling is {cut['ceiling']} rows."
    if shown := answer.get("contextful.internals"):
        yield from (f"{shown['elapsed_ms']} ms  {sql}" for sql in shown["sql"])


def reasons(found: dict[str, Any]) -> "Iterator[RenderableType]":
    """What decides a claim: a table for each part, then where each step is decided."""
    for part in ("versions", "windows", "citations"):
        yield f"\n{part}"
        yield output.grid(_narrow(found[part])) if found[part] else "none"
    yield "\ndecided by"
    yield output.grid([{"step": step, "file": file} for step, file in found["decided_by"].items()])


def _narrow(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Rows for the width of a terminal: no column that is empty throughout, nor what another part shows."""
    elsewhere = {"claim_id", "subject", "evidence", "grant_id", "version_number"}
    kept = [name for name in rows[0] if name not in elsewhere and any(row[name] is not None for row in rows)]
    return [{name: _short(row[name]) if _is_instant(row[name]) else row[name] for name in kept} for row in rows]


def _is_instant(value: object) -> bool:
    return isinstance(value, str) and _INSTANT.fullmatch(value) is not None
