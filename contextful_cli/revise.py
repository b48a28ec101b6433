"""Writing claims: one, a file of them, or the rows of a dbt model. The rules are SQL, in models/revise."""

import json
from dataclasses import asdict, dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

from contextful_cli.batches import lines
from contextful_cli.batches.report import Report
from contextful_cli.errors import ContextfulError
from contextful_cli.revision.writer import Outcome, Provenance, Writer
from contextful_cli.shapes import writing_command

if TYPE_CHECKING:
    from contextful_cli.batches.model_lines import Members
    from contextful_cli.caller import Caller
    from contextful_cli.credentials.credential import Credential
    from contextful_cli.progress import Progress
    from contextful_cli.tables import Table

Citation = tuple[str, str, int]
# rule: revise.tier
TIERS = {None: "curated", "fetched": "researched"}


@dataclass(frozen=True, slots=True)
class Claim:
    """One write as the caller gave it. claim: JSON text; the instants: RFC 3339 with an offset."""

    claim: str
    observed_at: str | None = None
    valid_until: str | None = None
    dedup_key: str | None = None


def claims_table(caller: "Caller", name: str) -> "Table":
    """The claims table of that name. Refuses GrantWriteNotCovered without the rights, then what other verbs write."""
    if owner := caller.side_table_of(name, "read", "write"):
        raise _other_shape(f"{name} is kept beside {owner.name}: `contextful memory expire` and `retract` end claims")
    table = caller.claims_to_write(name)
    # rule: revise.direct-write
    if not table.is_claims:
        command = writing_command(table.shape, name)
        raise _other_shape(f"{name} holds {table.shape or 'source rows'}, no claims; use `{command}`")
    return table


def _other_shape(message: str) -> ContextfulError:
    return ContextfulError("MemoryDirectWriteShapeRefused", message)


def tier_of(grounding: str | None) -> str:
    """The tier of a direct write: curated, or researched where what grounds it was fetched."""
    if grounding not in TIERS:
        raise ContextfulError("ArgumentMalformed", f"--grounding takes `fetched` or is left out; got {grounding}")
    return TIERS[grounding]


def write_one(caller: "Caller", into: str, claim: Claim, grounding: str | None = None) -> dict[str, Any]:
    """Write one claim; returns {claim_id, landed, valid_from}. A refusal stores nothing."""
    with Writer(caller, claims_table(caller, into)) as writer:
        return asdict(write_with(writer, claim, Provenance.of(caller.credential, tier_of(grounding))))


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


def write_file(caller: "Caller", into: str, source: str, grounding: str | None, progress: "Progress") -> Report:
    """Write a file of JSON lines, or `-` for standard input, one commit a chunk; refused lines leave the others.

    progress: told the bytes read after each commit.
    """
    table, provenance = claims_table(caller, into), Provenance.of(caller.credential, tier_of(grounding))
    with Writer(caller, table) as writer:
        return lines.commit_file(writer.staging, source, partial(writer.write, provenance, is_batch=True), progress)


def write_model(caller: "Caller", into: str, model: str, grounding: str | None, progress: "Progress") -> Report:
    """Write the rows of a dbt model, which is built first. progress: told the rows decided after each commit."""
    from contextful_cli import models

    table, provenance = claims_table(caller, into), Provenance.of(caller.credential, tier_of(grounding))
    with models.exported(caller, model) as rows, Writer(caller, table) as writer:
        commit = partial(writer.write, provenance, is_batch=True)
        return lines.commit_model(writer.staging, rows, _members(writer), commit, progress)


def _members(writer: Writer) -> "Members":
    from contextful_cli.batches.model_lines import Members

    return Members(
        noun="claims",
        required=("subject", "predicate", "object", "confidence", "evidence"),
        optional=("scope", *writer.table.available_columns),
        told_at="observed_at",
        beside=("observed_at", "valid_until", "dedup_key"),
        inside="claim",
    )


def write_derived(
    writer: Writer, lines: list[str], credential: "Credential", run: str, batch: list[Citation]
) -> Report:
    """Write what a synthesis derived from a batch of source rows, as one commit under the run's id.

    lines: as those of a file. batch: (table, run, seq) of every row that the model was shown, cited or not.
    """
    # rule: synthesize.claim-taint
    taint = writer.taint_of(batch)
    writer.stage(lines)
    return writer.write(Provenance.of(credential, "derived", taint), is_batch=True, run=run)
