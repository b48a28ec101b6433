"""Sessions kept from one request to the next: few, of those last used, and none that is out of date."""

import time
from collections.abc import Hashable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from threading import Lock
from typing import Protocol

from contextful_cli import declaration
from contextful_cli.caller import Caller
from contextful_cli.errors import ContextfulError
from contextful_cli.reader import Reader
from contextful_cli.revision.writer import Writer
from contextful_cli.serve.errors import UNAVAILABLE, status_of
from contextful_cli.tables import Table

IDLE_SECONDS = 300.0
MOST_WRITERS = 4


class _Session(Protocol):
    def close(self) -> None: ...


@dataclass(eq=False)
class _Kept:
    """A session, what it was laid for, and since when it is idle."""

    session: _Session
    use: Hashable
    state: Hashable
    since: float = field(default_factory=time.monotonic)


class _Idle:
    """Idle sessions, the one last used at the end. Safe for threads."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._lock = Lock()
        self._kept: list[_Kept] = []

    def __len__(self) -> int:
        return len(self._kept)

    def take(self, use: Hashable, state: Hashable) -> _Session | None:
        """One laid for just that use and state, which is the caller's then."""
        with self._lock:
            for place in range(len(self._kept) - 1, -1, -1):
                if (self._kept[place].use, self._kept[place].state) == (use, state):
                    return self._kept.pop(place).session
        return None

    def put(self, session: _Session, use: Hashable, state: Hashable) -> None:
        """Give one back; those used longest ago make room."""
        with self._lock:
            self._kept.append(_Kept(session, use, state))
            surplus, self._kept = self._kept[: -self._most], self._kept[-self._most :]
        _close(surplus)

    def sweep(self, state: Hashable | None) -> None:
        """Close what is not of this state or long unused; without a state, all."""
        oldest = time.monotonic() - IDLE_SECONDS
        with self._lock:
            stale = [one for one in self._kept if one.state != state or one.since < oldest]
            self._kept = [one for one in self._kept if one not in stale]
        _close(stale)


def _close(kept: list[_Kept]) -> None:
    for one in kept:
        one.session.close()


class Readers:
    """Readers by rights and table: each holds the one session in which that table is read."""

    def __init__(self, most: int) -> None:
        self.idle = _Idle(most)
        self.in_use = 0

    @contextmanager
    def of(self, caller: Caller, table: str, state: Hashable) -> Iterator[Reader]:
        """A reader for the block. One for a table that the caller may not read is not kept, nor takes it a place."""
        use = (caller.rights, table) if declaration.find(caller.readable, table) else None
        reader = use and self.idle.take(use, state)
        reader = reader or Reader(caller)
        reader.caller = caller  # of equal rights; but another token, which the ledger names
        is_sound = False
        self.in_use += 1
        try:
            yield reader
            is_sound = True
        except ContextfulError as error:
            is_sound = status_of(error) != UNAVAILABLE
            raise
        finally:
            self.in_use -= 1
            if is_sound and use:
                self.idle.put(reader, use, state)
            else:
                reader.close()


class Writers:
    """Writers by rights and table, used one at a time: the lake has one writer."""

    def __init__(self) -> None:
        self.idle = _Idle(MOST_WRITERS)
        self._turn = Lock()

    @contextmanager
    def of(self, caller: Caller, table: Table, state: Hashable) -> Iterator[Writer]:
        """A writer for the block; after anything but a refusal of the claim it is not used again."""
        use = (caller.rights, table.name)
        with self._turn:
            writer = self.idle.take(use, state) or Writer(caller, table)
            is_sound = False
            try:
                yield writer
                is_sound = True
            except ContextfulError as error:
                is_sound = status_of(error) != UNAVAILABLE
                raise
            finally:
                if is_sound:
                    self.idle.put(writer, use, state)
                else:
                    writer.close()
