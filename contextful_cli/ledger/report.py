"""What a verification found."""

from dataclasses import asdict, dataclass, field
from typing import Any

MOST_TOLD = 1000  # a ledger written over whole would fill the memory with what is wrong with it


@dataclass(frozen=True, slots=True)
class Break:
    """Where the chain is broken. file: in the folder audit. segment: None outside of the segments. line: from 1."""

    file: str
    segment: int | None
    line: int | None
    seq: int | None
    problem: str


@dataclass(slots=True)
class Report:
    """entries, segments: those looked at. dropped: segments that retention removed. last: seq and hash of the last
    entry, to be noted where the ledger's owner cannot write. unfinished: bytes of a write that was cut off and answered
    nothing. broken: the first MOST_TOLD breaks. breaks: how many in all."""

    entries: int = 0
    segments: int = 0
    dropped: int = 0
    last: dict[str, Any] | None = None
    unfinished: int = 0
    breaks: int = 0
    broken: list[Break] = field(default_factory=list)

    def tell(self, found: Break) -> None:
        """Add a break."""
        self.breaks += 1
        if len(self.broken) < MOST_TOLD:
            self.broken.append(found)

    def payload(self) -> dict[str, Any]:
        """The report as JSON."""
        return asdict(self)
