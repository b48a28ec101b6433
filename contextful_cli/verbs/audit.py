"""`contextful audit verify | list | seal`: the read ledger. All three are the operator's."""

from typing import Annotated

import typer

Json = Annotated[bool, typer.Option("--json", help="Print one JSON line.")]


def verify_verb(as_json: Json = False) -> None:
    """Check the read ledger's chain from its first entry to its last; exit 1 when it is broken, and say where.

    It prints the last entry's seq and hash: noted elsewhere, they also show a ledger that was written anew as a whole.

    Example: contextful audit verify
    """
    from contextful_cli import output
    from contextful_cli.credentials import authenticate
    from contextful_cli.errors import ContextfulError
    from contextful_cli.ledger.verify import verify

    report = verify(authenticate.operator_home("audit verify"))
    output.emit(report.payload(), as_json=as_json)
    if report.breaks:
        first = report.broken[0]
        where = first.file if first.line is None else f"{first.file} line {first.line}"
        raise ContextfulError("AuditChainBroken", f"the read ledger is broken, first in {where}: {first.problem}")


def list_verb(
    table: Annotated[str | None, typer.Option(help="Only reads of this table.")] = None,
    claim_id: Annotated[str | None, typer.Option(help="Only reads that returned this claim.")] = None,
    grant_id: Annotated[str | None, typer.Option(help="Only reads under this credential.")] = None,
    on_behalf_of: Annotated[str | None, typer.Option(help="Only reads on behalf of this person.")] = None,
    outcome: Annotated[str | None, typer.Option(help="`answered`, or a refusal's identifier.")] = None,
    since: Annotated[str | None, typer.Option(help="Only from then on; a date: its start.")] = None,
    until: Annotated[str | None, typer.Option(help="Only until then; a date: its end.")] = None,
    limit: Annotated[int, typer.Option(help="At most so many entries.", metavar="N", min=1)] = 100,
    as_json: Json = False,
) -> None:
    """List recorded reads, newest first: who read what, on whose behalf, and which claims left.

    Example: contextful audit list --claim-id c-ee965fcba19e3053282202f3 --since 2026-01-01
    """
    from contextful_cli import output
    from contextful_cli.credentials import authenticate
    from contextful_cli.ledger.listing import Filter, entries
    from contextful_cli.ledger.terminal import shown

    wanted = Filter(table, claim_id, grant_id, on_behalf_of, outcome, since, until)
    output.emit(entries(authenticate.operator_home("audit list"), wanted, limit), as_json=as_json, table=shown)


def seal_verb(
    drop_before: Annotated[
        str | None, typer.Option(help="Remove sealed segments that end before then; their seals stay.", metavar="I")
    ] = None,
    as_json: Json = False,
) -> None:
    """Close the open segment of the read ledger, and remove the segments that need not be kept any longer.

    Example: contextful audit seal --drop-before 2026-01-01
    """
    from contextful_cli import output
    from contextful_cli.credentials import authenticate
    from contextful_cli.ledger.sealing import seal

    output.emit(seal(authenticate.operator_home("audit seal"), drop_before), as_json=as_json)
