"""Read ledgers for tests: entries, and the lines as they lie."""

from contextful_cli.ledger.entry import Entry
from contextful_cli.ledger.folder import Folder
from contextful_cli.settings import Home


def entry(tool: str = "memory.recall", **facts: object) -> Entry:
    """An answered read of the table facts by ann's bot, with the given facts in place of its own."""
    usual = {
        "face": "cli",
        "table": "facts",
        "outcome": "answered",
        "grant_id": "g2",
        "chain": ("g1", "g2"),
        "on_behalf_of": "ann",
        "agent": "bot",
        "task": None,
        "host": None,
        "rows": 1,
        "claims": ("c-1",),
    }
    return Entry(tool=tool, **usual | facts)


def lines(home: Home, segment: int = 1) -> list[bytes]:
    """The lines of a segment, with their line ends."""
    return Folder(home.audit).segment(segment).read_bytes().splitlines(keepends=True)


def put(home: Home, changed: list[bytes], segment: int = 1) -> None:
    """Write a segment's lines over."""
    Folder(home.audit).segment(segment).write_bytes(b"".join(changed))
