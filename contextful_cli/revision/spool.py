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
DELIMITER = b"\x01\x02\x03\x04"
_BOM = b"\xef\xbb\xbf"
# Stands for a line that no reader could take whole: no JSON either, and so refused under its own number.
_UNREADABLE = b"!"


@dataclass(frozen=True, slots=True)
class Chunk:
    """Lines to commit together, in a file of their own. size: bytes read for them; longest: bytes of the longest."""

    path: Path
    lines: int
    size: int
    longest: int


@contextmanager
def opened(source: str) -> Iterator[tuple[BinaryIO, int | None]]:
    """The source's bytes, and how many there are (None for standard input)."""
    if source == STDIN:
        yield sys.stdin.buffer, None
        return
    path = Path(source)
    if not path.is_file():
        raise ContextfulError("ArgumentMalformed", f"there is no file {source}")
    with path.open("rb") as file:
        yield file, path.stat().st_size


def chunks(stream: BinaryIO) -> Iterator[Chunk]:
    """The stream's lines, about CHUNK_BYTES at a time; each chunk's file lives until the next is asked for."""
    with TemporaryDirectory(prefix="contextful-") as folder:
        path = Path(folder) / "lines.jsonl"
        for data in _blocks(stream):
            lines = _readable(data)
            path.write_bytes(b"\n".join(lines) + b"\n")
            yield Chunk(path, lines=len(lines), size=len(data), longest=max(map(len, lines)))


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


def _readable(data: bytes) -> list[bytes]:
    """The lines, each replaced where it is not UTF-8 or too long, so that it is refused and the others stay."""
    # A lone CR is white space between JSON's tokens and forbidden within its strings, and so is a tab.
    data = data.removesuffix(b"\n").replace(b"\r\n", b"\n").replace(b"\r", b"\t")
    lines = data.split(b"\n")
    if _is_sound(data) and max(map(len, lines)) <= MAX_LINE_BYTES:
        return lines
    return [line if _is_sound(line) and len(line) <= MAX_LINE_BYTES else _UNREADABLE for line in lines]


def _is_sound(data: bytes) -> bool:
    try:
        data.decode()
    except UnicodeDecodeError:
        return False
    return b"\0" not in data and DELIMITER not in data
