"""What became of the lines of a batch."""

from dataclasses import asdict, dataclass, field
from typing import Any


@dataclass(frozen=True, slots=True)
class Refusal:
    """A line that was refused. line: its number, from 1."""

    line: int
    identifier: str
    message: str


@dataclass
class Report:
    """What became of the lines. retired: intervals that a landed line has ended."""

    landed: int = 0
    restated: int = 0
    retired: int = 0
    refused: list[Refusal] = field(default_factory=list)

    def payload(self) -> dict[str, Any]:
        """The report as a program reads it."""
        return asdict(self)

    def add(self, later: "Report", lines_before: int) -> None:
        """Count a later commit in, whose lines are numbered from 1 again."""
        self.landed += later.landed
        self.restated += later.restated
        self.retired += later.retired
        self.refused += [Refusal(one.line + lines_before, one.identifier, one.message) for one in later.refused]
