"""The ledger's files: where they are, who may read them, and how a line is made durable."""

import fcntl
import os
import re
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from contextful_cli.errors import ContextfulError

POLL_SECONDS = 0.0005
PATIENCE_SECONDS = 10.0
SEGMENT = re.compile(r"ledger-([0-9]{6,})\.jsonl")
FOLDER_MODE, FILE_MODE = 0o700, 0o600


def unpersisted(problem: str) -> ContextfulError:
    """The refusal of a read whose entry cannot be kept."""
    return ContextfulError("AuditEntryUnpersisted", f"this read cannot be recorded, so it gives no answer: {problem}")


def damaged(problem: str) -> ContextfulError:
    """The refusal to extend a chain that is broken: it would bury where it broke."""
    remedy = "`contextful audit verify` tells where; restore the folder audit, or move it away to begin a new chain"
    return unpersisted(f"{problem}; {remedy}")


@dataclass(frozen=True, slots=True)
class Folder:
    """`<home>/audit`: segments of entries, the seals of all but the last segment, the head, and a lock of its own."""

    root: Path

    def segment(self, number: int) -> Path:
        return self.root / f"ledger-{number:06d}.jsonl"

    @property
    def seals(self) -> Path:
        return self.root / "sealed.jsonl"

    @property
    def head(self) -> Path:
        return self.root / "head.json"

    @property
    def lock(self) -> Path:
        return self.root / "lock"

    @property
    def begun(self) -> Path:
        """Stands beside the secrets once there is a ledger, so that one taken away whole is missed."""
        return self.root.parent / "secrets" / "ledger-begun"

    def segments(self) -> list[int]:
        """The numbers of the segments that are there, in order."""
        names = (SEGMENT.fullmatch(path.name) for path in self.root.glob("ledger-*.jsonl"))
        return sorted(int(name[1]) for name in names if name)

    def make(self) -> None:
        """Make the folder, open to its owner alone; the state folder has to be there."""
        with suppress(FileExistsError):
            self.root.mkdir(FOLDER_MODE)
            self.root.chmod(FOLDER_MODE)  # whatever the umask
            sync_folder(self.root.parent)

    @contextmanager
    def exclusive(self) -> Iterator[None]:
        """Hold the ledger's lock for the block; AuditEntryUnpersisted where it is held for too long."""
        # Not `locks.hold`: importing filelock takes 20 ms, more than all else that a cold read does for its entry.
        descriptor = open_private(self.lock, os.O_RDWR)
        try:
            _acquire(descriptor, self.lock)
            yield
        finally:
            os.close(descriptor)


def _acquire(descriptor: int, lock: Path) -> None:
    deadline = time.monotonic() + PATIENCE_SECONDS
    while True:
        try:
            return fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            if time.monotonic() > deadline:
                raise unpersisted(f"another process holds {lock} for longer than {PATIENCE_SECONDS:g} s") from None
            time.sleep(POLL_SECONDS)


def open_private(path: Path, flags: int) -> int:
    """A descriptor of a file that is made, durably and for its owner alone, where it is not there."""
    try:
        return os.open(path, flags | os.O_CLOEXEC)
    except FileNotFoundError:
        descriptor = os.open(path, flags | os.O_CREAT | os.O_CLOEXEC, FILE_MODE)
        os.fchmod(descriptor, FILE_MODE)  # whatever the umask
        sync_folder(path.parent)
        return descriptor


def sync_folder(folder: Path) -> None:
    """Make durable which names a folder holds."""
    descriptor = os.open(folder, os.O_RDONLY | os.O_CLOEXEC)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def add(path: Path, size: int, data: bytes) -> None:
    """Write at the end of a file of that size, durably; on failure cut off what was written and raise OSError."""
    descriptor = open_private(path, os.O_WRONLY)
    try:
        _write(descriptor, size, data)
    except BaseException:
        # Where this fails too the rest stays beyond the head, and the next append settles it.
        with suppress(OSError):
            os.ftruncate(descriptor, size)
        raise
    finally:
        os.close(descriptor)


def overwrite(path: Path, data: bytes) -> None:
    """Write over a file of the same size in place, durably."""
    descriptor = os.open(path, os.O_WRONLY | os.O_CLOEXEC)
    try:
        _write(descriptor, 0, data)
    finally:
        os.close(descriptor)


def _write(descriptor: int, offset: int, data: bytes) -> None:
    rest = memoryview(data)
    while rest:
        written = os.pwrite(descriptor, rest, offset)
        rest, offset = rest[written:], offset + written
    os.fdatasync(descriptor)
