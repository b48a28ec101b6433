"""Keeping reads and flushes apart.

While DuckLake moves inlined rows to a file, a read that took its snapshot just before finds them in neither: so a flush
waits for the reads under way, and holds new ones back for as long as it takes. Reads never wait for one another, for a
writer or for dbt. The locks go with the process that holds them.
"""

import fcntl
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from contextful_cli.settings import Home

POLL_SECONDS = 0.002
PATIENCE_SECONDS = 2.0  # a read that takes longer than this lets the flush be tried again after the next commit


@contextmanager
def reading(home: Home) -> Iterator[None]:
    """No flush during the block."""
    # Through the gate first: readers that came one after the other would keep a flush waiting for ever.
    with _held(home.lake / "gate", fcntl.LOCK_SH):
        descriptor = _open(home.lake / "reading")
        fcntl.flock(descriptor, fcntl.LOCK_SH)
    try:
        yield
    finally:
        os.close(descriptor)


def building(home: Home) -> int:
    """Hold flushes off until the returned descriptor is closed, or the process ends: dbt reads in many statements."""
    descriptor = _open(home.lake / "building")
    fcntl.flock(descriptor, fcntl.LOCK_SH)
    return descriptor


@contextmanager
def flushing(home: Home) -> Iterator[bool]:
    """Whether nobody reads during the block; where a read or a build goes on for longer, the flush has to wait."""
    with _held(home.lake / "building", fcntl.LOCK_EX, 0.0) as is_unbuilt:
        if not is_unbuilt:
            yield False
            return
        with _held(home.lake / "gate", fcntl.LOCK_EX), _held(home.lake / "reading", fcntl.LOCK_EX) as is_quiet:
            yield is_quiet


@contextmanager
def _held(file: Path, kind: int, patience: float = PATIENCE_SECONDS) -> Iterator[bool]:
    """Whether the lock was had within so many seconds; a shared one is waited for."""
    descriptor = _open(file)
    try:
        yield _acquired(descriptor, kind, patience)
    finally:
        os.close(descriptor)


def _acquired(descriptor: int, kind: int, patience: float) -> bool:
    if kind == fcntl.LOCK_SH:
        fcntl.flock(descriptor, kind)
        return True
    deadline = time.monotonic() + patience
    while True:
        try:
            fcntl.flock(descriptor, kind | fcntl.LOCK_NB)
            return True
        except BlockingIOError:
            if time.monotonic() >= deadline:
                return False
            time.sleep(POLL_SECONDS)


def _open(file: Path) -> int:
    return os.open(file, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
