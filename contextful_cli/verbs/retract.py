"""`contextful memory retract`: a claim never held."""

from typing import Annotated

import typer


def retract_verb(
    table: Annotated[str, typer.Option(help="The declared claims table.")],
    claim_id: Annotated[str, typer.Option(help="The claim.")],
    reason: Annotated[str, typer.Option(help="Why; the history shows it.")],
    valid_from: Annotated[
        str | None, typer.Option(help="The start of the interval meant; default: the newest.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON line.")] = False,
) -> None:
    """Say that a claim never held: it answers at no instant, what it replaced runs on, the history shows it.

    Example: contextful memory retract --table facts --claim-id c-ee965fcba19e3053282202f3 --reason 'a misreading'
    """
    from contextful_cli import caller, instants, output
    from contextful_cli.errors import ContextfulError
    from contextful_cli.revision import closing

    if not reason.strip() or "\0" in reason:
        raise ContextfulError("ArgumentMalformed", "--reason takes a text, not blank and without NUL")
    start = None if valid_from is None else instants.stored("--valid-from", valid_from)
    ending = closing.Ending(claim_id=claim_id, reason=reason, valid_from=start)
    output.emit(closing.end(caller.current(), table, ending), as_json=as_json)
