"""Predictions and what came of them, one line after the other, each against all before it: plain Python, no SQL.

Lines are JSON texts; texts that JSON readers disagree on are not for this reference.
"""

import json
import re
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from math import isfinite
from typing import Any

from .model import micros

Row = dict[str, Any]
Ruling = tuple[str, str | None]
"""(landed, restated or refused; the identifier it was refused with)"""

REGISTRATION = (
    *("prediction_id", "subject", "predicted_at", "horizon_secs", "deadline_at", "watch", "resolution_source"),
    *("comparator", "statement", "metric"),
)
OBSERVATION = (
    *("prediction_id", "observed_at", "verdict", "resolution_source", "signal", "settling_citation", "metric", "value"),
)
INVALID, INSTANT, ARGUMENT = "OutcomeRegistrationInvalid", "InstantMalformed", "ArgumentMalformed"
LAST = datetime(9999, 12, 31, 23, 59, 59, 999999, tzinfo=UTC)
_INSTANT = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,6})?(Z|[+-]\d\d:\d\d)", re.ASCII)
_DAY = re.compile(r"\d{4}-\d\d-\d\d", re.ASCII)


class Refused(Exception):
    """A line is refused; its one argument is the identifier."""


@dataclass
class Ledger:
    """What is stored: registrations for good, and every observation that landed, the newest last."""

    registrations: dict[str, Row] = field(default_factory=dict)
    observations: dict[str, list[Row]] = field(default_factory=dict)

    def predict(self, line: str) -> Ruling:
        """What becomes of a registration."""
        try:
            row = _registration(line)
        except Refused as refused:
            return "refused", refused.args[0]
        stored = self.registrations.setdefault(row["prediction_id"], row)
        if stored is row:
            return "landed", None
        return ("restated", None) if stored == row else ("refused", "OutcomeRegistrationConflict")

    def observe(self, line: str) -> Ruling:
        """What becomes of an observation."""
        try:
            row = _observation(line)
            _check_source(row, self.registrations.get(row["prediction_id"]))
        except Refused as refused:
            return "refused", refused.args[0]
        stored = self.observations.setdefault(row["prediction_id"], [])
        if stored and stored[-1] == row:
            return "restated", None
        if stored and stored[-1]["verdict"] is not None:
            return "refused", "OutcomeAlreadySettled"
        stored.append(row)
        return "landed", None


def _check_source(row: Row, registration: Row | None) -> None:
    if registration is None:
        raise Refused("OutcomePredictionUnregistered")
    same_series = row["metric"] == registration["metric"]
    if row["verdict"] is None:
        if row["metric"] is not None and not same_series:
            raise Refused("OutcomeSourceMismatch")
        return
    if row["resolution_source"] != registration["resolution_source"] or not same_series:
        raise Refused("OutcomeSourceMismatch")
    if row["resolution_source"] != "metric" and not re.match(r"https?://\w", row["settling_citation"] or ""):
        raise Refused("OutcomeCitationMissing")


def _registration(line: str) -> Row:
    row = _members(line, REGISTRATION, INVALID)
    for name in ("prediction_id", "subject"):
        _text(row, name, INVALID, required=True)
    for name in ("comparator", "statement"):
        _text(row, name, INVALID)
    _must(row["predicted_at"] is not None, INVALID)
    _must(row["metric"] is None or isinstance(row["metric"], str), INVALID)
    _check_form(row)
    predicted = _instant(row["predicted_at"])
    _fill_in_deadline(row, predicted)
    row["predicted_at"] = micros(predicted)
    if row["metric"] is not None:
        table, _, series = row["metric"].partition(":")
        is_named = bool(table.strip() and series.strip())
        _must(row["resolution_source"] == "metric" and is_named, "OutcomeMetricReferenceInvalid")
    _must(len((row["statement"] or "").encode()) <= 4096, "OutcomeStatementTooLong")
    return row


def _check_form(row: Row) -> None:
    horizon = row["horizon_secs"]
    _must(horizon is None or (type(horizon) is int and 0 <= horizon < 2**63), INVALID)
    _must(row["watch"] is None or isinstance(row["watch"], bool), INVALID)
    row["watch"] = row["watch"] is True
    _must([horizon is not None, row["deadline_at"] is not None, row["watch"]].count(True) == 1, INVALID)
    _must(row["resolution_source"] in ("metric", "adjudicator", "manual"), INVALID)
    _must((row["resolution_source"] == "metric") == (row["comparator"] is not None), INVALID)
    if row["comparator"] is not None:
        operator, blank, number = row["comparator"].partition(" ")
        _must(operator in ("<", "<=", ">", ">=", "=", "!=") and blank == " " and _is_number(number), INVALID)


def _is_number(text: str) -> bool:
    try:
        return re.fullmatch(r"-?\d.*", text, re.ASCII) is not None and isfinite(json.loads(text))
    except (ValueError, OverflowError):
        return False


def _fill_in_deadline(row: Row, predicted: datetime) -> None:
    deadline = None if row["deadline_at"] is None else _deadline(row["deadline_at"])
    if row["horizon_secs"] is not None:
        _must(row["horizon_secs"] <= (LAST - predicted) // timedelta(seconds=1), INVALID)
        deadline = predicted + timedelta(seconds=row["horizon_secs"])
    _must(deadline is None or deadline >= predicted, INVALID)
    row["deadline_at"] = None if deadline is None else micros(deadline)


def _observation(line: str) -> Row:
    row = _members(line, OBSERVATION, ARGUMENT)
    _text(row, "prediction_id", ARGUMENT, required=True)
    for name in ("resolution_source", "signal", "settling_citation", "metric"):
        _text(row, name, ARGUMENT)
    _must(row["observed_at"] is not None, ARGUMENT)
    _must(row["verdict"] is None or isinstance(row["verdict"], bool), ARGUMENT)
    _must(row["verdict"] is None or row["signal"] != "annulled", ARGUMENT)
    value = row["value"]
    _must(value is None or (type(value) in (int, float) and isfinite(value)), ARGUMENT)
    row["observed_at"] = micros(_instant(row["observed_at"]))
    return row


def _members(line: str, known: tuple[str, ...], identifier: str) -> Row:
    """All members, those left out as null."""
    try:
        given = json.loads(line, object_pairs_hook=list)
    except ValueError:
        raise Refused(identifier) from None
    _must(line.lstrip().startswith("{"), identifier)
    names = [name for name, _ in given]
    _must(len(set(names)) == len(names) and set(names) <= set(known), identifier)
    return dict.fromkeys(known) | dict(given)


def _text(row: Row, name: str, identifier: str, *, required: bool = False) -> None:
    text = row[name]
    if text is None and not required:
        return
    _must(isinstance(text, str) and bool(text.strip()) and "\0" not in text, identifier)


def _instant(text: object) -> datetime:
    _must(isinstance(text, str) and _INSTANT.fullmatch(text) is not None, INSTANT)
    try:
        return datetime.fromisoformat(str(text)).astimezone(UTC)
    except (ValueError, OverflowError):
        raise Refused(INSTANT) from None


def _deadline(text: object) -> datetime:
    if not isinstance(text, str) or not _DAY.fullmatch(text):
        return _instant(text)
    try:
        return datetime.fromisoformat(text).replace(tzinfo=UTC) + timedelta(days=1)
    except (ValueError, OverflowError):
        raise Refused(INSTANT) from None


def _must(holds: bool, identifier: str) -> None:
    if not holds:
        raise Refused(identifier)
