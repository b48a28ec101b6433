"""Writing claims: one, a file of them, or the rows of a dbt model. The rules are SQL, in models/revise."""

import json
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from contextful_cli import declaration
from contextful_cli.errors import ContextfulError
from contextful_cli.progress import Progress
from contextful_cli.revision import spool
from contextful_cli.revision.writer import Outcome, Provenance, Report, Writer

if TYPE_CHECKING:
    from contextful_cli.settings import Home
    from contextful_cli.tables import Table

OTHER_VERBS = {"predictions": "contextful memory predict --into", "outcomes": "contextful memory observe --into"}
CHUNK_ROWS = 500_000
# rule: revise.tier
TIERS = {None: "curated", "fetched": "researched"}


@dataclass(frozen=True, slots=True)
class Claim:
    """One write as the caller gave it. claim: JSON text; the instants: RFC 3339 with an offset."""

    claim: str
    observed_at: str | None = None
    valid_until: str | None = None
    dedup_key: str | None = None


def claims_table(tables: "list[Table]", name: str) -> "Table":
    """The claims table of that name. Refuses GrantWriteNotCovered for an unknown one, then what other verbs write."""
    owner = next((one for one in tables if one.is_claims and name in list(one.lake_tables())[1:]), None)
    if owner is not None:
        raise _other_shape(f"{name} is kept beside {owner.name}: `contextful memory expire` and `retract` end claims")
    table = declaration.find(tables, name)
    if table is None:
        raise ContextfulError(
            "GrantWriteNotCovered", f"no right to write {name}; `contextful declare list` shows tables"
        )
    # rule: revise.direct-write
    if not table.is_claims:
        verb = OTHER_VERBS.get(table.shape or "", "contextful land --table")
        raise _other_shape(f"{name} holds {table.shape or 'source rows'}, no claims; use `{verb} {name}`")
    return table


def _other_shape(message: str) -> ContextfulError:
    return ContextfulError("MemoryDirectWriteShapeRefused", message)


def tier_of(grounding: str | None) -> str:
    """The tier of a direct write: curated, or researched where what grounds it was fetched."""
    if grounding not in TIERS:
        raise ContextfulError("ArgumentMalformed", f"--grounding takes `fetched` or is left out; got {grounding}")
    return TIERS[grounding]


def write_one(
    home: "Home", tables: "list[Table]", into: str, claim: Claim, grounding: str | None = None
) -> dict[str, Any]:
    """Write one claim; returns {claim_id, landed, valid_from}. A refusal stores nothing."""
    with Writer(home, tables, claims_table(tables, into)) as writer:
        return asdict(write_with(writer, claim, Provenance(tier_of(grounding))))


def write_with(writer: Writer, claim: Claim, provenance: Provenance) -> Outcome:
    """Write one claim in an open writer, as a server does call by call."""
    writer.stage([_line(claim)])
    report = writer.write(provenance, is_batch=False)
    if report.refused:
        raise ContextfulError(report.refused[0].identifier, report.refused[0].message)
    return writer.outcomes()[0]


def _line(claim: Claim) -> str:
    """The write as a line of a batch, so that both are read by one rule."""
    try:
        json.loads(claim.claim.encode())
    except (ValueError, RecursionError):
        raise ContextfulError("MemoryClaimMalformed", "the claim is not JSON in UTF-8") from None
    given = {name: value for name, value in asdict(claim).items() if name != "claim" and value is not None}
    members = [f'"claim": {claim.claim}', *(f'"{name}": {json.dumps(value)}' for name, value in given.items())]
    return "{" + ", ".join(members) + "}"


def write_file(
    home: "Home", tables: "list[Table]", into: str, source: str, grounding: str | None, progress: Progress
) -> Report:
    """Write a file of JSON lines, or `-` for standard input, one commit a chunk; refused lines leave the others.

    progress: told the bytes read after each commit.
    """
    table, provenance = claims_table(tables, into), Provenance(tier_of(grounding))
    report, lines, size = Report(), 0, 0
    with spool.opened(source) as (stream, total), Writer(home, tables, table) as writer:
        for chunk in spool.chunks(stream, total):
            staged = writer.stage_file(chunk.path, chunk.longest)
            report.add(writer.write(provenance, is_batch=True), lines)
            lines, size = lines + staged, size + chunk.size
            progress(size, total)
    return report


def write_model(
    home: "Home", tables: "list[Table]", into: str, model: str, grounding: str | None, progress: Progress
) -> Report:
    """Write the rows of a dbt model, which is built first. progress: told the rows decided after each commit."""
    from contextful_cli import models
    from contextful_cli.revision.model_lines import stage_model

    table, provenance, report = claims_table(tables, into), Provenance(tier_of(grounding)), Report()
    with models.exported(home, model) as file, Writer(home, tables, table) as writer:
        rows = stage_model(writer, file, model)
        for start in range(0, rows, CHUNK_ROWS):
            writer.stage_rows("model_lines", start, CHUNK_ROWS)
            report.add(writer.write(provenance, is_batch=True), start)
            progress(min(start + CHUNK_ROWS, rows), rows)
    return report


def write_derived(writer: Writer, lines: list[str], provenance: Provenance, run: str) -> Report:
    """Write what a synthesis derived, as one commit under the run's id. lines: as those of a file.

    The tier is given by the way it was written, so any other than derived is an error of the caller's.
    """
    if provenance.tier != "derived":
        raise ValueError("synthesis writes the derived tier")
    writer.stage(lines)
    return writer.write(provenance, is_batch=True, run=run)
