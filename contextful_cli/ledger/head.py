"""The head: how far the ledger goes, so that a cut tail shows. Written after each append, before the read answers.

What lies beyond the head answered nobody: a process died between the append and the head, or in the append.
Whole lines there are entries all the same, as a record too many hides nothing; a torn one is none.
"""

import json
from dataclasses import asdict, dataclass, field

from contextful_cli import private
from contextful_cli.ledger.chain import Mark
from contextful_cli.ledger.folder import Folder, damaged, overwrite, sync_folder

# One sector, always: written in place, it is the old or the new one after a crash, and needs no room on a full disk.
BYTES = 512


@dataclass(frozen=True, slots=True)
class Head:
    """segment: the number of the open segment. entries, seals: how far their chains go; sizes are those of the open
    segment and of sealed.jsonl."""

    segment: int = 1
    entries: Mark = field(default_factory=Mark)
    seals: Mark = field(default_factory=Mark)

    def dumps(self) -> bytes:
        return json.dumps(asdict(self), separators=(",", ":")).ljust(BYTES - 1).encode() + b"\n"


def read(folder: Folder) -> Head | None:
    """The head; None where there is no ledger yet. Refuses as `damaged` when it is lost or not as it was written."""
    try:
        text = folder.head.read_bytes()
    except FileNotFoundError:
        if folder.segments() or folder.seals.exists() or folder.begun.exists():
            raise damaged(f"{folder.head} is missing") from None
        return None
    head = _parse(text)
    if head is None or head.dumps() != text:
        raise damaged(f"{folder.head} is damaged")
    return head


def _parse(text: bytes) -> Head | None:
    try:
        told = json.loads(text)
        head = Head(told["segment"], Mark(**told["entries"]), Mark(**told["seals"]))
    except (ValueError, TypeError, KeyError):
        return None
    numbers = (head.segment, head.entries.seq, head.entries.size, head.seals.seq, head.seals.size)
    texts = (head.entries.hash, head.seals.hash)
    is_sound = all(type(one) is int for one in numbers) and all(type(one) is str for one in texts)
    return head if is_sound else None


def create(folder: Folder) -> Head:
    """The head of a new ledger, made before its first segment; the caller holds the lock."""
    head = Head()
    private.write(folder.head, head.dumps(), replace=False)
    sync_folder(folder.root)
    if folder.begun.parent.is_dir():
        folder.begun.touch(mode=0o600)
        sync_folder(folder.begun.parent)
    return head


def write(folder: Folder, head: Head) -> None:
    """Replace the head durably; the caller holds the lock."""
    overwrite(folder.head, head.dumps())
