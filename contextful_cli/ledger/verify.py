"""Verification: the chains of entries and of seals, each against itself, the other and the head.

It reads each file once, line by line; nothing is changed, and reads go on meanwhile.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from hashlib import sha256

from contextful_cli.errors import ContextfulError
from contextful_cli.ledger import chain, head, seals
from contextful_cli.ledger.chain import Mark, Walk
from contextful_cli.ledger.folder import Folder
from contextful_cli.ledger.head import Head
from contextful_cli.ledger.report import Break, Report
from contextful_cli.ledger.seals import Seal
from contextful_cli.settings import Home


@dataclass(frozen=True, slots=True)
class _Still:
    """The ledger at one moment. head: None when there is none or it is damaged. sizes: bytes of each segment."""

    head: Head | None
    head_problem: str | None
    seal_lines: list[bytes]
    sizes: dict[int, int]


def verify(home: Home) -> Report:
    """Look at every entry, seal and segment; see Report. An absent ledger is an empty one."""
    folder, report = Folder(home.audit), Report()
    if not folder.root.exists():
        if folder.begun.exists():
            report.tell(Break(folder.root.name, None, None, None, "the whole ledger is gone"))
        return report
    still = _still(folder)
    if still.head_problem:
        report.tell(Break(folder.head.name, None, None, None, still.head_problem))
    _Verification(folder, still, report).run()
    return report


def _still(folder: Folder) -> _Still:
    with _shut(folder):
        problem, found = None, None
        try:
            found = head.read(folder)
        except ContextfulError:
            problem = "it is damaged" if folder.head.exists() else "it is missing"
        lines = folder.seals.read_bytes().splitlines(keepends=True) if folder.seals.exists() else []
        return _Still(found, problem, lines, {one: folder.segment(one).stat().st_size for one in folder.segments()})


@contextmanager
def _shut(folder: Folder) -> Iterator[None]:
    """No append meanwhile; a copy that is read-only has none, and no lock can be taken in it."""
    try:
        holding = folder.exclusive()
        holding.__enter__()
    except OSError:
        yield
        return
    try:
        yield
    finally:
        holding.__exit__(None, None, None)


class _Verification:
    def __init__(self, folder: Folder, still: _Still, report: Report) -> None:
        self.folder, self.still, self.report = folder, still, report
        self.head = still.head or Head(segment=0)
        self.seals = seals.parse(still.seal_lines)
        self.walk = Walk()
        self.is_head_met = self.head.entries.seq == 0

    def run(self) -> None:
        self._seal_chain()
        for number, sealed in enumerate(self.seals.sealed, start=1):
            self._sealed(number, sealed)
        self._open(len(self.seals.sealed) + 1)
        self._end()

    def _tell(self, problem: str, segment: int | None = None, line: int | None = None, seq: int | None = None) -> None:
        file = self.folder.segment(segment).name if segment else self.folder.seals.name
        self.report.tell(Break(file, segment, line, seq, problem))

    def _seal_chain(self) -> None:
        walk, size, due = Walk(), 0, self.head.seals
        is_met = due.seq == 0
        for number, line in enumerate(self.still.seal_lines, start=1):
            if size >= due.size and chain.is_torn(line):
                break
            size += len(line)
            if problem := walk.check(line):
                self._tell(problem, line=number, seq=walk.seq)
            is_met = is_met or Mark(walk.seq, walk.hash or "", size) == due
        if not is_met:
            self._tell(
                f"it does not hold seal {due.seq} as the head names it: it was cut, or written anew", seq=due.seq
            )

    def _sealed(self, number: int, sealed: Seal) -> None:
        if sealed.segment != number or sealed.first_seq != self.walk.seq + 1:
            self._tell(f"its seal does not follow the segment before it: entry {self.walk.seq + 1} was due", number)
        is_there = number in self.still.sizes and self.folder.segment(number).exists()
        # A drop may happen while the segments before it are read.
        if number in self.seals.dropped or (not is_there and number in seals.read(self.folder).dropped):
            self.report.dropped += 1
            self._go_on_from(sealed)
        elif is_there:
            self._segment(number, sealed)
        else:
            self._tell(f"it is missing, with entries {sealed.first_seq} to {sealed.last_seq}", number)
            self._go_on_from(sealed)

    def _go_on_from(self, sealed: Seal) -> None:
        self.walk = Walk(sealed.last_seq, sealed.last_hash)
        self._meet(Mark(sealed.last_seq, sealed.last_hash, 0))

    def _open(self, number: int) -> None:
        """The segment that no seal closes; any other file of that name is none of the ledger's."""
        if number in self.still.sizes:
            self._segment(number, None)
        for stray in self.still.sizes:
            if stray > number:
                self._tell("no seal and no head names it", stray)

    def _segment(self, number: int, sealed: Seal | None) -> None:
        self.report.segments += 1
        breaks, entries = self.report.breaks, self.report.entries
        size, digest = self._entries(number, is_open=sealed is None)
        # A break that was located needs no second one for the segment as a whole.
        if sealed and self.report.breaks == breaks:
            seen = (self.walk.seq, self.walk.hash, size, self.report.entries - entries, digest)
            self._against(sealed, seen)

    def _entries(self, number: int, *, is_open: bool) -> tuple[int, str]:
        """Walk over a segment's lines; gives its bytes and their SHA-256."""
        size, digest, due = 0, sha256(), self.head.entries
        floor = due.size if number == self.head.segment else 0
        for line_number, line in enumerate(self._lines(number), start=1):
            if is_open and size >= floor and chain.is_torn(line):
                self.report.unfinished = self.still.sizes[number] - size
                break
            size += len(line)
            digest.update(line)
            self.report.entries += 1
            if problem := self.walk.check(line):
                self._tell(problem, number, line_number, self.walk.seq)
            if self.walk.seq == due.seq:
                self._meet(Mark(self.walk.seq, self.walk.hash or "", size if number == self.head.segment else 0))
        return size, digest.hexdigest()

    def _lines(self, number: int) -> Iterator[bytes]:
        """The lines that the segment had at the moment looked at; appends since then are not read."""
        rest = self.still.sizes[number]
        with self.folder.segment(number).open("rb") as file:
            while rest > 0 and (line := file.readline(rest)):
                rest -= len(line)
                yield line

    def _against(self, sealed: Seal, seen: tuple[int, str | None, int, int, str]) -> None:
        if seen != (sealed.last_seq, sealed.last_hash, sealed.bytes, sealed.entries, sealed.sha256):
            self._tell("it is not what its seal says: one of them was edited, or entries were cut", sealed.segment)

    def _meet(self, mark: Mark) -> None:
        """Compare with the head where the chain comes to the entry that the head names."""
        due = self.head.entries
        # After a break that was located the sizes may differ; they tell nothing more.
        is_sized = mark.size in (0, due.size) or self.report.breaks > 0
        if mark.seq == due.seq and mark.hash == due.hash and is_sized:
            self.is_head_met = True

    def _end(self) -> None:
        if self.walk.seq:
            self.report.last = {"seq": self.walk.seq, "hash": self.walk.hash}
        if not self.is_head_met:
            due = self.head.entries.seq
            cut = f"it ends at entry {self.walk.seq}, the head at {due}: the tail was cut"
            anew = f"entry {due} is not the one that the head names: the ledger was written anew from some entry on"
            self._tell(cut if self.walk.seq < due else anew, len(self.seals.sealed) + 1, None, due)
