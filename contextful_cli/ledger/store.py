"""Appending: an entry is on the disk before `append` returns, or the read gets no answer."""

import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from threading import Lock

from contextful_cli import instants
from contextful_cli.errors import ContextfulError
from contextful_cli.ledger import chain, head, seals, tail
from contextful_cli.ledger.entry import Entry
from contextful_cli.ledger.folder import Folder, add, unpersisted
from contextful_cli.settings import Home

SEGMENT_BYTES = 64 * 1024 * 1024


@dataclass(slots=True)
class _Ticket:
    """One entry that waits. problem: why it was not stored, None when it was."""

    facts: bytes
    is_settled: bool = False
    problem: ContextfulError | None = None


class Ledger:
    """The read ledger of a home, for all threads of a process; other processes may append to the same chain."""

    def __init__(self, home: Home) -> None:
        self._folder = Folder(home.audit)
        self._waiting: list[_Ticket] = []
        self._guard = Lock()
        self._turn = Lock()

    def append(self, entry: Entry) -> None:
        """Record a read, durably. AuditEntryUnpersisted where that fails; its answer must not leave then."""
        ticket = _Ticket(_facts(entry))
        with self._guard:
            self._waiting.append(ticket)
        # Whoever gets the turn stores all that wait: while one thread syncs, the others gather for the next sync.
        with self._turn:
            if not ticket.is_settled:
                self._store_waiting()
        if ticket.problem is not None:
            # Raised anew: one exception in several threads would mix their tracebacks.
            raise ContextfulError(ticket.problem.identifier, ticket.problem.message)

    def _store_waiting(self) -> None:
        with self._guard:
            batch, self._waiting = self._waiting, []
        problem: ContextfulError | None = unpersisted("the thread that stored it was stopped")
        try:
            store(self._folder, [ticket.facts for ticket in batch])
            problem = None
        except ContextfulError as error:
            problem = error
        except OSError as error:
            problem = unpersisted(f"{self._folder.root}: {error.strerror or error}")
        finally:
            for ticket in batch:
                ticket.problem, ticket.is_settled = problem, True


def _facts(entry: Entry) -> bytes:
    try:
        return entry.facts()
    except UnicodeEncodeError:
        raise unpersisted("a text in it is no text in UTF-8") from None


def store(folder: Folder, facts: Sequence[bytes]) -> None:
    """Append entries, write them through, then the head; a full segment is sealed first."""
    folder.make()
    with folder.exclusive():
        now = tail.settle(folder)
        if now.entries.size >= SEGMENT_BYTES:
            now = seals.seal(folder, now)
        at = instants.format_us(time.time_ns() // 1000)
        data, entries = chain.extend(now.entries, at, facts)
        add(folder.segment(now.segment), now.entries.size, data)
        head.write(folder, replace(now, entries=entries))
