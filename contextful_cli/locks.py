"""File locks that say who holds them."""

import json
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from contextful_cli import output
from contextful_cli.errors import ContextfulError

if TYPE_CHECKING:
    from filelock import FileLock

POLL_SECONDS = 0.002  # filelock's own default of 50 ms makes a short read wait seconds behind busy writers
PATIENCE_SECONDS = 60.0
NOTICE_SECONDS = 2.0


def holder(lock: Path) -> str:
    """Who holds a lock, in words; the note is written by the holder and may be a moment old."""
    try:
        note = json.loads(lock.with_suffix(".holder").read_text())
        return f"process {note['pid']} ({note['verb']}, since {note['since']})"
    except (OSError, ValueError, KeyError, TypeError):
        return "another process"


def is_held(lock: Path) -> bool:
    """Whether some process holds the lock now; takes and releases it otherwise."""
    from filelock import FileLock, Timeout

    if not lock.exists():
        return False
    probe = FileLock(lock)
    try:
        probe.acquire(timeout=0)
    except Timeout:
        return True
    probe.release()
    return False


@contextmanager
def hold(lock: Path, verb: str, *, busy: str, patience: float = PATIENCE_SECONDS) -> Iterator[None]:
    """Hold a lock for the block; after ``patience`` seconds refuse as ``busy``, naming the holder."""
    from filelock import FileLock  # a read that takes no lock need not import it

    flock = FileLock(lock, poll_interval=POLL_SECONDS)
    _acquire(flock, lock, busy, patience)
    try:
        _sign(lock, verb)
        yield
    finally:
        flock.release()


def _acquire(flock: "FileLock", lock: Path, busy: str, patience: float) -> None:
    from filelock import Timeout

    try:
        flock.acquire(timeout=min(NOTICE_SECONDS, patience))
        return
    except Timeout:
        if patience > NOTICE_SECONDS:
            output.note(f"waiting for {holder(lock)} to release {lock.name}")
    except OSError as error:
        raise ContextfulError("StorageFailed", f"the lock {lock} cannot be taken: {error.strerror or error}") from None
    try:
        flock.acquire(timeout=max(patience - NOTICE_SECONDS, 0))
    except Timeout:
        waited = f" for longer than {patience:g} s" if patience else ""
        message = f"{holder(lock)} holds {lock.name}{waited}; try again, or stop that process"
        raise ContextfulError(busy, message) from None


def _sign(lock: Path, verb: str) -> None:
    # A side file: filelock truncates the lock file itself whenever somebody waits for it.
    since = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())
    note = json.dumps({"pid": os.getpid(), "verb": verb, "since": since})
    try:
        lock.with_suffix(".holder").write_text(note)
    except OSError as error:
        raise ContextfulError("StorageFailed", f"{lock.parent} cannot be written: {error.strerror or error}") from None
