"""`contextful memory expire`: a claim held until an instant."""

from typing import Annotated

import typer


def expire_verb(
    table: Annotated[str, typer.Option(help="The declared claims table.")],
    claim_id: Annotated[str, typer.Option(help="The claim.")],
    at: Annotated[str, typer.Option(help="Until when it held.")],
    valid_from: Annotated[
        str | None, typer.Option(help="The start of the interval meant; default: the one that contains --at.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON line.")] = False,
) -> None:
    """Say until when a claim held. The claim stays in the history, ended.

    Example: contextful memory expire --table facts --claim-id c-ee965fcba19e3053282202f3 --at 2026-03-01T00:00:00Z
    """
    from contextful_cli import caller, instants, output
    from contextful_cli.revision import closing

    ending = closing.Ending(
        claim_id=claim_id,
        reason="expired",
        closed_at=instants.stored("--at", at),
        valid_from=None if valid_from is None else instants.stored("--valid-from", valid_from),
    )
    output.emit(closing.end(caller.current(), table, ending), as_json=as_json)
