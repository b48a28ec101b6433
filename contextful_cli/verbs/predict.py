"""`contextful memory predict`: one registration, a file of them, or the rows of a dbt model."""

from typing import Annotated

import typer


def predict_verb(
    into: Annotated[str, typer.Option(help="The declared predictions table.")],
    registration: Annotated[
        str | None,
        typer.Option(
            help="JSON: {prediction_id, subject, predicted_at, one of horizon_secs | deadline_at | watch: true, "
            "resolution_source, comparator?, statement?, metric?}."
        ),
    ] = None,
    source: Annotated[
        str | None, typer.Option("--from", help="A file of such registrations, one a line; - for stdin.")
    ] = None,
    from_model: Annotated[str | None, typer.Option(help="A dbt model with these columns, built first.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON line.")] = False,
) -> None:
    """Register predictions before the fact; a registration is never changed.

    Example: contextful memory predict --into bets --registration '{"prediction_id": "rain-1", "subject": "weather",
    "predicted_at": "2026-01-31T09:30:00Z", "deadline_at": "2026-02-01", "resolution_source": "manual"}'
    """
    from contextful_cli import caller, output, progress, settle
    from contextful_cli.verbs import batches

    batches.require_one("--registration JSON", registration, source, from_model)
    who = caller.current()
    if registration is not None:
        answer = settle.predict_one(who, into, registration)
        # rule: settle.predict-verb
        output.emit(answer, as_json=as_json, table=lambda one: [f"prediction_id: {output.cell(one['prediction_id'])}"])
        return
    with progress.shown("registering predictions") as told:
        if source is not None:
            report = settle.predict_file(who, into, source, told)
        else:
            report = settle.predict_model(who, into, from_model, told)
    batches.tell(report, as_json=as_json)
