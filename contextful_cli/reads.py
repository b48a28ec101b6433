"""The one way out of a read, on every face: its entry in the ledger is durable before the answer leaves."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from contextful_cli import declaration, recall
from contextful_cli.caller import Caller
from contextful_cli.errors import ContextfulError
from contextful_cli.ledger import Ledger
from contextful_cli.ledger.entry import Entry
from contextful_cli.reader import Reader


@dataclass(frozen=True)
class Desk:
    """Where reads of a process are answered: the face it serves, and its ledger."""

    face: str
    ledger: Ledger

    def recall(self, reader: Reader, request: recall.Request, *, internals: bool = False) -> dict[str, Any]:
        """Keyed recall, recorded with the ids of the claims it returned."""
        # rule: recall.usage-ledger
        now = recall.call_instant(reader.home)
        return self.answered(
            reader.caller,
            "memory.recall",
            request.table,
            lambda: recall.recall(reader, request, now=now, internals=internals),
            now=now,
        )

    def answered(
        self, caller: Caller, tool: str, table: str | None, answer: Callable[[], Any], *, now: str | None = None
    ) -> Any:
        """What `answer` returns or raises, once that is recorded. now: the read's instant, where it has one.

        Raises AuditEntryUnpersisted in its place where the entry cannot be kept.
        """
        named = table if table is not None and declaration.find(caller.tables, table) else None
        try:
            found = answer()
        except ContextfulError as refusal:
            self.ledger.append(self._entry(caller, tool, named, refusal.identifier))
            raise
        self.ledger.append(self._entry(caller, tool, named, "answered", **_facts(found, now)))
        return found

    def _entry(self, caller: Caller, tool: str, table: str | None, outcome: str, **facts: Any) -> Entry:
        asks = caller.credential
        return Entry(
            face=self.face,
            tool=tool,
            table=table,
            outcome=outcome,
            grant_id=asks.grant_id,
            chain=asks.chain,
            on_behalf_of=asks.on_behalf_of,
            agent=asks.agent,
            task=asks.task,
            host=asks.host,
            **facts,
        )


def of_command(caller: Caller) -> Desk:
    """The desk of one command."""
    return Desk("cli", Ledger(caller.home))


def _facts(found: Any, now: str | None) -> dict[str, Any]:
    """What an entry says of an answer: instants and counts, and of claims their ids alone."""
    if not isinstance(found, dict) or "columns" not in found:
        return {"observed_at": now}
    bounds = found.get("contextful.bounds", {})
    facts: dict[str, Any] = {name: bounds.get(name) for name in ("as_of_ingest", "available_as_of")}
    facts |= {"observed_at": bounds.get("observed_at", now), "rows": len(found["rows"])}
    if "contextful.recall" in found:
        place = found["columns"].index("claim_id")
        facts["claims"] = tuple(row[place] for row in found["rows"] if row[place] is not None)
    return facts
