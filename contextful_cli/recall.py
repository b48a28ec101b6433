"""Keyed recall, and the other reads of claims. The rules are SQL, in models/recall; here are bounds and ceilings."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from contextful_cli import answers, declaration, instants, lake
from contextful_cli import clock as clocks
from contextful_cli.answers import Ceiling, Stopwatch
from contextful_cli.errors import ContextfulError
from contextful_cli.instants import Bound
from contextful_cli.reader import Reader, checked_text

if TYPE_CHECKING:
    from contextful_cli.settings import Home
    from contextful_cli.tables import Table

COLUMNS = (
    "claim_id",
    "subject",
    "predicate",
    "object",
    "scope",
    "tier",
    "confidence",
    "valid_from",
    "valid_to",
    "evidence",
    "superseded_by",
    "grant_id",
    "agent",
    "confidence_label",
    "evidence_omitted",
)
# Where each step of an answer is decided, for `memory why`.
DECIDED_BY = {
    "bounds": "macros/windows/is_committed.sql",
    "newest version and closures": "macros/windows/held_claims.sql",
    "window": "macros/windows/supersession_window.sql",
    "history": "macros/windows/claim_history.sql",
    "gate": "macros/evidence/evidence_gate.sql",
    "order and ceiling": "macros/evidence/recalled_claims.sql",
    "confidence": "macros/calibration/calibrated_claims.sql",
}


MOST_SUBJECTS = 64


@dataclass(frozen=True, slots=True)
class Request:
    """One recall as its caller gave it; the instants are texts, limit a whole number or its text.

    subject: one, or several, which are answered in turn under one bound and one ceiling.
    """

    table: str
    subject: str | tuple[str, ...]
    scope: str | None = None
    predicate: str | None = None
    observed_at: str | None = None
    as_of_ingest: str | None = None
    available_as_of: str | None = None
    limit: int | str | None = None


def recall(reader: Reader, request: Request, *, now: str | None = None, internals: bool = False) -> dict[str, Any]:
    """What held of a subject at an instant, as the response object. now: the call's instant, default the clock's.

    Raises EnforceUnknownRelation, MemoryRecallNotClaims, InstantMalformed, ArgumentMalformed.
    """
    watch = Stopwatch()
    reader.executed.clear()
    table = claims_table(reader.tables, request.table)
    subjects = _subjects(request.subject)
    filters = [_text(name, getattr(request, name)) for name in ("scope", "predicate")]
    ceiling = answers.ceiling(table, request.limit)
    bounds = _bounds(reader.home, request)
    arguments = _arguments(bounds, now or call_instant(reader.home), filters)
    answer = _answer(_in_turn(reader, table, subjects, arguments, ceiling.rows), list(bounds.values()), ceiling)
    return answers.internals(answer, reader.executed, watch.elapsed_ms) if internals else answer


def call_instant(home: "Home") -> str:
    """A read's now, as text: never before a minted stamp or instant."""
    return instants.format_us(clocks.read(home).now())


def _subjects(given: str | tuple[str, ...]) -> list[str]:
    subjects = [given] if isinstance(given, str) else list(given)
    if not 1 <= len(subjects) <= MOST_SUBJECTS:
        raise ContextfulError("ArgumentMalformed", f"give 1 to {MOST_SUBJECTS} subjects; got {len(subjects)}")
    return [checked_text("subject", subject) for subject in dict.fromkeys(subjects)]


def claims_table(tables: "list[Table]", name: str) -> "Table":
    """The claims table of that name; an unknown one and one of another shape each have their refusal."""
    # rule: recall.keyed-not-claims
    table = declaration.find(tables, name)
    if table is None:
        raise ContextfulError("EnforceUnknownRelation", f"no table `{name}` is readable with this credential")
    if not table.is_claims:
        held = f"has the shape {table.shape}" if table.shape else "is a source table"
        raise ContextfulError("MemoryRecallNotClaims", f"{name} {held}; recall reads tables of shape memory_facts")
    return table


def subjects(reader: Reader, name: str, prefix: str | None = None, limit: int | str | None = None) -> dict[str, Any]:
    """The subjects of a claims table, in text order, each with how many claims it holds about them."""
    table = claims_table(reader.tables, name)
    ceiling = answers.ceiling(table, limit)
    asked = (table.name, _text("prefix", prefix), ceiling.rows)
    return _listed(reader.records((table.name,), "claim_subjects", *asked), ("subject", "claims"), ceiling)


def letters(reader: Reader, name: str | None = None, limit: int | str | None = None) -> dict[str, Any]:
    """The dead letters of one claims table or of all, newest first."""
    table = claims_table(reader.tables, name) if name is not None else None
    ceiling = answers.ceiling(table, limit)
    claims = tuple(one.name for one in reader.tables if one.is_claims and table in (None, one))
    columns = ("_table", "letter_id", "stage", "reason", "detail", "response", "template_hash", "evidence")
    return _listed(reader.records(claims, "dead_letters", name, ceiling.rows), (*columns, "_ingested_at"), ceiling)


def why(reader: Reader, name: str, claim_id: str) -> dict[str, Any]:
    """Everything that decides one claim: versions with their fates, windows with their successors, citations.

    Raises EnforceUnknownRelation, MemoryRecallNotClaims, ClaimUnknown.
    """
    table = claims_table(reader.tables, name)
    asked = (table.name, _text("claim_id", claim_id))
    versions = reader.records((table.name,), "why_versions", *asked)
    if not versions:
        raise ContextfulError("ClaimUnknown", f"{name} holds no claim {claim_id}")
    found = {
        "versions": versions,
        "windows": reader.records((table.name,), "why_windows", *asked),
        "citations": reader.records((table.name,), "why_citations", *asked),
    }
    shown = {part: [_shown(row) for row in rows] for part, rows in found.items()}
    return {"table": table.name, "claim_id": claim_id, **shown, "decided_by": dict(DECIDED_BY)}


def _text(name: str, value: str | None) -> str | None:
    return None if value is None else checked_text(name, value)


def _bounds(home: "Home", request: Request) -> dict[str, Bound]:
    """The bounds that were given, by name."""
    bounds = {}
    if request.observed_at is not None:
        bounds["observed_at"] = instants.valid_bound("observed_at", request.observed_at)
    if request.as_of_ingest is not None:
        bounds["as_of_ingest"] = _cut(home, instants.ingest_bound("as_of_ingest", request.as_of_ingest))
    if request.available_as_of is not None:
        bounds["available_as_of"] = instants.valid_bound("available_as_of", request.available_as_of)
    return bounds


def _cut(home: "Home", bound: Bound) -> Bound:
    """A bound on commits, cut to now. A commit under way could still fall within a bound at or after the last stamp:
    then the lock is taken and released first, so that asking again gives the same answer.
    """
    # rule: recall.keyed-clocks
    if bound.ns < clocks.read(home).stamp * instants.US_NS:
        return bound
    with lake.hold(home, "memory recall") as clock:
        now = clock.now()
    return instants.cut_to_now(bound, now * instants.US_NS)


def _arguments(bounds: dict[str, Bound], now: str, filters: list[str | None]) -> list[Any]:
    """What recall_claims takes between the subject and the ceiling."""
    observed, as_of, available = (bounds.get(name) for name in ("observed_at", "as_of_ingest", "available_as_of"))
    return [
        observed.timestamptz() if observed else now,
        as_of.timestamp_ns() if as_of else None,
        available.timestamptz() if available else None,
        *filters,
    ]


def _in_turn(
    reader: Reader, table: "Table", subjects: list[str], arguments: list[Any], ceiling: int
) -> list[list[dict[str, Any]]]:
    """The records of one subject after the other, up to the ceiling, and no further once there is more."""
    found: list[list[dict[str, Any]]] = []
    for subject in subjects:
        records = _recalled(reader, table, (table.name, subject, *arguments, ceiling))
        found.append(records)
        ceiling -= sum(record["position"] is not None for record in records)
        if records[0]["is_truncated"]:
            break
    return found


def _recalled(reader: Reader, table: "Table", arguments: tuple[Any, ...]) -> list[dict[str, Any]]:
    records = _called(reader, table, "recall_claims", "recall_calibrated_claims", arguments)
    if records[0]["has_unresolved_digest"]:
        return _called(reader, table, "recall_claims_by_digest", "recall_calibrated_claims_by_digest", arguments)
    return records


def _called(
    reader: Reader, table: "Table", function: str, calibrated: str, arguments: tuple[Any, ...]
) -> list[dict[str, Any]]:
    # rule: recall.confidence-label
    if table.labels:
        return reader.calibrated_records(table, calibrated, *arguments)
    return reader.records((table.name,), function, *arguments)


def _answer(found: list[list[dict[str, Any]]], bounds: list[Bound], ceiling: Ceiling) -> dict[str, Any]:
    """found: the records of each subject; the first of each carries its counters."""
    counters = [records[0] for records in found]
    served = [record for records in found for record in records if record["position"] is not None]
    rows = [[record[name] for name in COLUMNS] for record in served]
    suppressed = {
        "MemoryEvidenceUnresolved": sum(one["suppressed_unresolved"] for one in counters),
        "MemoryEvidenceOverflow": sum(one["suppressed_overflow"] for one in counters),
    }
    block = {"suppressed": suppressed, "stale": sum(one["stale"] for one in counters)}
    return answers.response(COLUMNS, rows, ceiling if counters[-1]["is_truncated"] else None, bounds, block)


def _listed(records: list[dict[str, Any]], columns: tuple[str, ...], ceiling: Ceiling) -> dict[str, Any]:
    """A list that was asked for with one row beyond its ceiling."""
    rows = [[record[name] for name in columns] for record in records[: ceiling.rows]]
    return answers.response(columns, rows, ceiling if len(records) > ceiling.rows else None)


def _shown(row: dict[str, Any]) -> dict[str, Any]:
    return {name: answers.plain(value) for name, value in row.items()}
