"""`contextful memory observe`: one observation, a file of them, or the rows of a dbt model."""

from collections.abc import Iterator
from typing import Annotated, Any

import typer


def observe_verb(
    into: Annotated[str, typer.Option(help="The declared outcomes table.")],
    observation: Annotated[
        str | None,
        typer.Option(
            help="JSON: {prediction_id, observed_at, verdict?, resolution_source?, signal?, settling_citation?, "
            "metric?, value?}."
        ),
    ] = None,
    source: Annotated[
        str | None, typer.Option("--from", help="A file of such observations, one a line; - for stdin.")
    ] = None,
    from_model: Annotated[str | None, typer.Option(help="A dbt model with these columns, built first.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON line.")] = False,
) -> None:
    """Store what came of predictions; a verdict is final. The signal `annulled` closes one that nothing can settle.

    Example: contextful memory observe --into results --observation '{"prediction_id": "rain-1", "verdict": true,
    "observed_at": "2026-02-01T08:00:00Z", "resolution_source": "manual", "settling_citation": "https://example.org/r"}'
    """
    from contextful_cli import caller, output, progress, settle
    from contextful_cli.verbs import batches

    batches.require_one("--observation JSON", observation, source, from_model)
    who = caller.current()
    if observation is not None:
        # rule: settle.observe-verb
        output.emit(settle.observe_one(who, into, observation), as_json=as_json, table=_shown)
        return
    with progress.shown("storing observations") as told:
        if source is not None:
            report = settle.observe_file(who, into, source, told)
        else:
            report = settle.observe_model(who, into, from_model, told)
    batches.tell(report, as_json=as_json)


def _shown(answer: dict[str, Any]) -> Iterator[Any]:
    """The label as a table of one row, or why there is none."""
    from contextful_cli import output

    yield f"No label: {answer['reason']}." if "reason" in answer else output.grid([answer])
