"""How much one server takes on at once: bodies by size and time, work by number."""

import asyncio
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TypeVar

import anyio
from starlette.requests import ClientDisconnect, Request

from contextful_cli.errors import ContextfulError
from contextful_cli.serve.errors import HttpRefusal

Found = TypeVar("Found")
# A body a little too long is read to its end: closing on a client that still sends can cost it the answer.
DRAINED_BODIES = 4
CHECKS_AT_ONCE = 8


@dataclass(frozen=True, slots=True)
class Limits:
    """workers: reads at once; queue: requests that may wait besides; sessions: idle ones that are kept.

    body_seconds: how long a request's head, and then its body, may take to arrive.
    """

    workers: int = 4
    queue: int = 64
    body_bytes: int = 1024 * 1024
    body_seconds: float = 10.0
    sessions: int = 16


class Gate:
    """Admits requests up to a number, and runs their work in threads. Used from the event loop alone."""

    def __init__(self, limits: Limits, refused: Callable[[], None]) -> None:
        """refused: told of each request turned away."""
        self.limits, self._refused = limits, refused
        self._admitted = 0
        self._checks = anyio.CapacityLimiter(CHECKS_AT_ONCE)
        self._reads = anyio.CapacityLimiter(limits.workers)
        self._writes = anyio.CapacityLimiter(1)  # the lake has one writer; others wait without a thread

    @contextmanager
    def admitted(self) -> Iterator[None]:
        """A place for one request, its body included. Refuses with ServerOverloaded when all are taken."""
        if self._admitted >= self.limits.workers + self.limits.queue:
            self._refused()
            raise ContextfulError("ServerOverloaded", "too many requests at once; try again in a moment")
        self._admitted += 1
        try:
            yield
        finally:
            self._admitted -= 1

    async def check(self, work: Callable[[], Found]) -> Found:
        """Run the check of a credential in a thread; these do not wait for reads and writes."""
        return await anyio.to_thread.run_sync(work, limiter=self._checks)

    async def read(self, work: Callable[[], Found]) -> Found:
        """Run a read in a thread."""
        return await anyio.to_thread.run_sync(work, limiter=self._reads)

    async def write(self, work: Callable[[], Found]) -> Found:
        """Run a write in a thread, one after the other."""
        return await anyio.to_thread.run_sync(work, limiter=self._writes)


async def body_of(request: Request, limits: Limits) -> bytes:
    """The whole body. Refuses with 413 when it is too long, whatever its header says, 408 when it takes too long."""
    chunks: list[bytes] = []
    size = 0
    try:
        async with asyncio.timeout(limits.body_seconds):
            async for chunk in request.stream():
                size += len(chunk)
                if size <= limits.body_bytes:
                    chunks.append(chunk)
                elif size > DRAINED_BODIES * limits.body_bytes:
                    raise HttpRefusal(413, _too_long(limits), is_cut=True)
    except TimeoutError:
        raise HttpRefusal(408, f"the body took longer than {limits.body_seconds:g} s", is_cut=True) from None
    except ClientDisconnect:
        raise HttpRefusal(408, "the client went away", is_cut=True) from None
    if size > limits.body_bytes:
        raise HttpRefusal(413, _too_long(limits))
    return b"".join(chunks)


def _too_long(limits: Limits) -> str:
    return f"the body is longer than {limits.body_bytes} bytes"
