"""A chain of lines: each holds the hash of the one before it, and its own.

    {"seq":7,"at":"2026-…Z", …facts… ,"prev":"<hash of line 6>","hash":"<SHA-256>"}

The hash is that of the line's bytes before `,"hash"`, so of `prev` too: a line that parses alike but is written
otherwise is another line. `prev` of the first line is 64 zeros. Entries and seals are chains of the same form.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from hashlib import sha256

ZERO = "0" * 64
HASH_BYTES = len(',"hash":"') + 64 + len('"}\n')
TAIL_BYTES = len(',"prev":"') + 64 + len('"') + HASH_BYTES
_TAIL = re.compile(rb',"prev":"([0-9a-f]{64})","hash":"([0-9a-f]{64})"\}\n')
_SEQ = re.compile(rb'\{"seq":([1-9][0-9]{0,17}),')


@dataclass(frozen=True, slots=True)
class Mark:
    """How far a chain goes: its last line's seq (0: none) and hash, and the bytes of its file up to that line's end."""

    seq: int = 0
    hash: str = ZERO
    size: int = 0


def extend(mark: Mark, at: str, facts: Iterable[bytes]) -> tuple[bytes, Mark]:
    """The lines that continue a chain with these facts (`entry.members`), and how far it goes with them."""
    lines: list[bytes] = []
    seq, last = mark.seq, mark.hash
    for one in facts:
        seq += 1
        body = b'{"seq":%d,"at":"%s",%s,"prev":"%s"' % (seq, at.encode(), one, last.encode())
        last = sha256(body).hexdigest()
        lines.append(b'%s,"hash":"%s"}\n' % (body, last.encode()))
    data = b"".join(lines)
    return data, Mark(seq, last, mark.size + len(data))


def stated_hash(tail: bytes) -> str | None:
    """The hash that a line states, of its last TAIL_BYTES bytes; None where they are not a line's end."""
    match = _TAIL.fullmatch(tail)
    return match and match[2].decode()


def is_torn(line: bytes) -> bool:
    """Whether a line was cut off in the middle of its writing: it has no end, or a hole that was never written."""
    # JSON escapes NUL; after a power loss the file system fills what it had not written with NUL bytes.
    return not line.endswith(b"\n") or b"\0" in line


class Walk:
    """Follows a chain line by line. seq, hash: of the last line seen; hash is None after one that states none."""

    def __init__(self, seq: int = 0, last: str | None = ZERO) -> None:
        self.seq = seq
        self._last = last.encode() if last else None

    @property
    def hash(self) -> str | None:
        return self._last and self._last.decode()

    def check(self, line: bytes) -> str | None:
        """What is wrong with the next line, None when nothing is; goes on from what the line says of itself."""
        due, prev = self.seq + 1, self._last
        tail = _TAIL.fullmatch(line, len(line) - TAIL_BYTES) if len(line) > TAIL_BYTES else None
        # Most lines leave here: a ledger of millions is verified by this comparison and one hash a line.
        if tail and tail[1] == prev and line.startswith(b'{"seq":%d,"' % due) and _is_hashed(line, tail[2]):
            self.seq, self._last = due, tail[2]
            return None
        number = _SEQ.match(line)
        self.seq = int(number[1]) if number else due
        self._last = tail[2] if tail else None
        if tail is None or number is None:
            return "it is not written as an entry is"
        return _problem(line, tail, due, self.seq, prev)


def _problem(line: bytes, tail: re.Match[bytes], due: int, seq: int, prev: bytes | None) -> str | None:
    if not _is_hashed(line, tail[2]):
        return "it was edited: its hash does not fit its text"
    if seq > due:
        return f"missing before it: {due} to {seq - 1}" if seq - 1 > due else f"missing before it: {due}"
    if seq < due:
        return f"it is out of order or inserted: {due} was due"
    if prev is not None and tail[1] != prev:
        return "it does not continue the line before it"
    return None


def _is_hashed(line: bytes, stated: bytes) -> bool:
    return sha256(line[:-HASH_BYTES]).hexdigest().encode() == stated


def follow(lines: Iterable[bytes], mark: Mark) -> Iterator[tuple[Mark, str | None]]:
    """Each whole line after a mark, as how far the chain goes with it and what is wrong with it; ends at a torn one."""
    walk, size = Walk(mark.seq, mark.hash), mark.size
    for line in lines:
        if is_torn(line):
            return
        problem = walk.check(line)
        size += len(line)
        yield Mark(walk.seq, walk.hash or ZERO, size), problem
