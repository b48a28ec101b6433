"""How the ledger looks on a terminal."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from contextful_cli import output
from contextful_cli.ledger.entry import CLAIMS

if TYPE_CHECKING:
    from rich.console import RenderableType

SHOWN = ("seq", "at", "face", "tool", "table", "outcome", "rows", "on_behalf_of", "agent", "grant_id")


def shown(listing: dict[str, Any]) -> "Iterator[RenderableType]":
    """A row a read, with how many claims left; the ids themselves are in the JSON."""
    if not listing["entries"]:
        yield "No read is recorded that matches."
        return
    yield output.grid([_row(one) for one in listing["entries"]])
    if listing["truncated"]:
        yield "There are more; narrow it, or raise --limit."


def _row(one: dict[str, Any]) -> dict[str, Any]:
    claims = one[CLAIMS]
    return {name: one[name] for name in SHOWN} | {"claims": None if claims is None else len(claims)}
