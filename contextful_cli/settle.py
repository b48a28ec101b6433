"""Registering predictions and storing what came of them. The rules are SQL, in models/settle."""

import json
from typing import TYPE_CHECKING, Any

from contextful_cli.batches import lines
from contextful_cli.batches.report import Report
from contextful_cli.errors import ContextfulError
from contextful_cli.settlement.writer import Writer
from contextful_cli.shapes import writing_command

if TYPE_CHECKING:
    from collections.abc import Callable

    from contextful_cli.batches.model_lines import Members
    from contextful_cli.caller import Caller
    from contextful_cli.progress import Progress
    from contextful_cli.tables import Table


def predictions_table(caller: "Caller", name: str) -> "Table":
    """The predictions table of that name; GrantWriteNotCovered for an unknown one, TableShapeRefused for others."""
    return _table_of_shape(caller, name, "predictions")


def outcomes_table(caller: "Caller", name: str) -> "Table":
    """The outcomes table of that name, as above; DeclarationMalformed where it does not say what it settles."""
    table = _table_of_shape(caller, name, "outcomes")
    if table.predictions is None:
        message = f"{table.label} does not say which predictions it settles; declare `predictions: TABLE` for it"
        raise ContextfulError("DeclarationMalformed", message)
    return table


def _table_of_shape(caller: "Caller", name: str, shape: str) -> "Table":
    table = caller.records_to_write(name)
    if table.shape != shape:
        command = writing_command(table.shape, name)
        message = f"{name} holds {table.shape or 'source rows'}, no {shape}; use `{command}`"
        raise ContextfulError("TableShapeRefused", message)
    return table


def predict_one(caller: "Caller", into: str, registration: str) -> dict[str, Any]:
    """Register one prediction, JSON text; returns {prediction_id, landed}. A refusal stores nothing."""
    with Writer(caller, predictions_table(caller, into)) as writer:
        return predict_with(writer, registration)


def predict_with(writer: Writer, registration: str) -> dict[str, Any]:
    """Register one prediction in an open writer, as a server does call by call."""
    report = _write_one(writer, registration, "OutcomeRegistrationInvalid")
    return {"prediction_id": json.loads(registration)["prediction_id"], "landed": report.landed == 1}


def observe_one(caller: "Caller", into: str, observation: str) -> dict[str, Any]:
    """Store one observation, JSON text; returns the label row, or {label: None, reason} where it labels nothing."""
    with Writer(caller, outcomes_table(caller, into)) as writer:
        return observe_with(writer, observation)


def observe_with(writer: Writer, observation: str) -> dict[str, Any]:
    """Store one observation in an open writer."""
    _write_one(writer, observation, "ArgumentMalformed")
    return writer.label()


def _write_one(writer: Writer, line: str, malformed: str) -> Report:
    """malformed: the identifier of what is no line at all, which SQL would pass over."""
    try:
        json.loads(line.encode())
    except (ValueError, RecursionError):
        raise ContextfulError(malformed, "it is not JSON in UTF-8") from None
    writer.stage([line])
    report = writer.write()
    if report.refused:
        raise ContextfulError(report.refused[0].identifier, report.refused[0].message)
    return report


def predict_file(caller: "Caller", into: str, source: str, progress: "Progress") -> Report:
    """Register a file of JSON lines, or `-` for standard input, one commit a chunk; refused lines leave the others.

    progress: told the bytes read after each commit.
    """
    with Writer(caller, predictions_table(caller, into)) as writer:
        return lines.commit_file(writer.staging, source, writer.write, progress)


def observe_file(caller: "Caller", into: str, source: str, progress: "Progress") -> Report:
    """Store a file of observations, as `predict_file` registers."""
    with Writer(caller, outcomes_table(caller, into)) as writer:
        return lines.commit_file(writer.staging, source, writer.write, progress)


def predict_model(caller: "Caller", into: str, model: str, progress: "Progress") -> Report:
    """Register the rows of a dbt model, which is built first. progress: told the rows decided after each commit."""
    return _write_model(caller, predictions_table(caller, into), model, _registrations, progress)


def observe_model(caller: "Caller", into: str, model: str, progress: "Progress") -> Report:
    """Store the rows of a dbt model as observations, as `predict_model` registers."""
    return _write_model(caller, outcomes_table(caller, into), model, _observations, progress)


def _write_model(
    caller: "Caller",
    table: "Table",
    model: str,
    members: "Callable[[Writer], Members]",
    progress: "Progress",
) -> Report:
    from contextful_cli import models

    with models.exported(caller, model) as rows, Writer(caller, table) as writer:
        return lines.commit_model(writer.staging, rows, members(writer), writer.write, progress)


def _registrations(writer: Writer) -> "Members":
    from contextful_cli.batches.model_lines import Members

    return Members(
        noun="registrations",
        required=("prediction_id", "subject", "predicted_at", "resolution_source"),
        optional=(
            *("horizon_secs", "deadline_at", "watch", "comparator", "statement", "metric"),
            *writer.table.available_columns,
        ),
        told_at="predicted_at",
        days=("deadline_at",),
    )


def _observations(writer: Writer) -> "Members":
    from contextful_cli.batches.model_lines import Members

    return Members(
        noun="observations",
        required=("prediction_id", "observed_at"),
        optional=(
            *("verdict", "resolution_source", "signal", "settling_citation", "metric", "value"),
            *writer.table.available_columns,
        ),
        told_at="observed_at",
    )
