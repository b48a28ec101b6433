"""`contextful memory why`: everything that decides one claim."""

from typing import Annotated

import typer


def why_verb(
    table: Annotated[str, typer.Option(help="The claims table.")],
    claim_id: Annotated[str, typer.Option(help="The claim.")],
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON line.")] = False,
) -> None:
    """Show every version of a claim, its windows with their successors, its citations, and the SQL that decides them.

    Example: contextful memory why --table facts --claim-id c-ee965fcba19e3053282202f3
    """
    from contextful_cli import caller, output, reads, recall
    from contextful_cli.reader import Reader
    from contextful_cli.verbs.shown import reasons

    with Reader(caller.operator("memory why")) as reader:
        desk = reads.of_command(reader.caller)
        found = desk.answered(reader.caller, "memory.why", table, lambda: recall.why(reader, table, claim_id))
    output.emit(found, as_json=as_json, table=reasons)
