"""A file or stream of JSON lines cut into chunks, one commit each, and made fit for DuckDB's reader of lines."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import BinaryIO

from contextful_cli.errors import ContextfulError

STDIN = "-"
CHUNK_BYTES = 256 * 1024 * 1024  # close to a million lines: 3 GB of memory, and some ten seconds under the lock
MAX_LINE_BYTES = 16 * 1024 * 1024
USUAL_LINE_BYTES = 2 * 1024 * 1024  # what DuckDB's reader takes without a larger buffer
# DuckDB's reader is told that this begins a delimiter: no JSON holds it outside an escape.
DELIMITER = b"\x01"
_BOM = b"\xef\xbb\xbf"
# Stands for a line that no reader could take whole: no JSON either, and so refused under its own number.
_UNREADABLE = b"!"


@dataclass(frozen=True, slots=True)
class Chunk:
    """A file of lines to commit together. size: bytes read for them; longest: no line has more bytes."""

    path: Path
    size: int
    longest: int


@contextmanager
def opened(source: str) -> Iterator[tuple[BinaryIO, int | None]]:
    """The source's bytes, and how many there are (None for standard input and pipes)."""
    if source == STDIN:
        yield sys.stdin.buffer, None
        return
    path = Path(source)
    if path.is_dir() or not path.exists():
        told = f"{source} is a folder" if path.is_dir() else f"there is no file {source}"
        raise ContextfulError("ArgumentMalformed", told)
    with path.open("rb") as file:
        yield file, path.stat().st_size if path.is_file() else None


def chunks(stream: BinaryIO, total: int | None) -> Iterator[Chunk]:
    """The stream's lines, about CHUNK_BYTES at a time; each chunk's file lives until the next is asked for.

    total: what `opened` gave. A file that is one chunk and can be read as it stands is not copied.
    """
    with TemporaryDirectory(prefix="contextful-") as folder:
        path = Path(folder) / "lines.jsonl"
        if total is not None and total <= CHUNK_BYTES:
            if _is_readable(stream.read()):
                # By a name of our own: DuckDB takes a `*` in a name for a pattern, and `.gz` for compressed bytes.
                path.symlink_to(Path(stream.name).resolve())
                yield Chunk(path, size=total, longest=USUAL_LINE_BYTES)
                return
            stream.seek(0)
        for data in _blocks(stream):
            text, longest = _readable(data)
            path.write_bytes(text)
            yield Chunk(path, size=len(data), longest=longest)


def _blocks(stream: BinaryIO) -> Iterator[bytes]:
    """Whole lines only; the last may lack its line end."""
    rest = stream.read(len(_BOM)).removeprefix(_BOM)
    while block := stream.read(CHUNK_BYTES):
        head, end, tail = block.rpartition(b"\n")
        if end:
            yield rest + head + end
            rest = tail
        else:
            rest += tail
    if rest:
        yield rest


def _readable(data: bytes) -> tuple[bytes, int]:
    """The lines with LF ends, and a bound on their bytes; one that cannot be read is replaced, and so refused alone."""
    text = data if data.endswith(b"\n") else data + b"\n"
    if b"\r" in text:
        # A lone CR is white space between JSON's tokens and forbidden within its strings, and so is a tab.
        text = text.replace(b"\r\n", b"\n").replace(b"\r", b"\t")
    if _is_readable(text):
        return text, USUAL_LINE_BYTES
    lines = text.removesuffix(b"\n").split(b"\n")
    lines = [line if len(line) <= MAX_LINE_BYTES and _is_sound(line) else _UNREADABLE for line in lines]
    return b"\n".join(lines) + b"\n", max(map(len, lines))


def _is_readable(text: bytes) -> bool:
    """Whether DuckDB's reader takes every line as it is."""
    is_plain = b"\r" not in text and not text.startswith(_BOM)
    return is_plain and _is_sound(text) and not _has_longer(text, USUAL_LINE_BYTES)


def _has_longer(text: bytes, limit: int) -> bool:
    """Whether a line has more bytes: in big steps, each to the last line end within the limit."""
    start = 0
    while len(text) - start > limit:
        end = text.rfind(b"\n", start, start + limit + 1)
        if end < 0:
            return True
        start = end + 1
    return False


def _is_sound(data: bytes) -> bool:
    try:
        data.decode()
    except UnicodeDecodeError:
        return False
    return b"\0" not in data and DELIMITER not in data
