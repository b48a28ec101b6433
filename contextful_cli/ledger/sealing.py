"""`audit seal`: close the open segment, and let go of those that retention no longer asks for."""

from typing import Any

from contextful_cli import instants
from contextful_cli.errors import ContextfulError
from contextful_cli.ledger import seals, tail
from contextful_cli.ledger.folder import Folder
from contextful_cli.settings import Home


def seal(home: Home, drop_before: str | None) -> dict[str, Any]:
    """{"sealed": the segment closed, None when it was empty, "dropped": the segments removed}.

    drop_before: an instant, or a date, which is its own midnight UTC. A broken ledger refuses with AuditChainBroken.
    """
    folder = Folder(home.audit)
    bound = drop_before and instants.since("drop_before", drop_before)
    if not folder.root.exists():
        return {"sealed": None, "dropped": []}
    try:
        return _seal(folder, bound and instants.format_us(-(-bound.ns // instants.US_NS)))
    except ContextfulError as error:
        raise ContextfulError("AuditChainBroken", error.message) from None


def _seal(folder: Folder, before: str | None) -> dict[str, Any]:
    with folder.exclusive():
        now = tail.settle(folder)
        sealed = now.segment if now.entries.size else None
        if sealed:
            now = seals.seal(folder, now)
        dropped = seals.drop(folder, now, before)[1] if before else []
    return {"sealed": sealed, "dropped": dropped}
