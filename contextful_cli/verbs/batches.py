"""What the verbs that write one line or many have in common."""

from typing import TYPE_CHECKING

import typer

from contextful_cli import output
from contextful_cli.errors import ContextfulError

if TYPE_CHECKING:
    from contextful_cli.batches.report import Report


def require_one(option: str, line: str | None, source: str | None, model: str | None) -> None:
    """Refuse unless exactly one of the three ways is given. option: how the first is written."""
    if sum(given is not None for given in (line, source, model)) != 1:
        raise ContextfulError("ArgumentMalformed", f"give one of {option}, --from FILE and --from-model MODEL")


def tell(report: "Report", *, as_json: bool) -> None:
    """The report, where it is the point; exit 1 when a line was refused, and the others stay."""
    output.emit(report.payload(), as_json=as_json)
    if report.refused:
        raise typer.Exit(1)
