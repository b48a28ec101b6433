"""`contextful memory letters`: what could not be made into claims, or contradicts itself."""

from typing import Annotated

import typer


def letters_verb(
    table: Annotated[str | None, typer.Option(help="The claims table; default: all of them.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON line.")] = False,
) -> None:
    """List the dead letters, newest first, each with its reason.

    Example: contextful memory letters --table congress_claims
    """
    from contextful_cli import caller, output, reads, recall
    from contextful_cli.reader import Reader
    from contextful_cli.verbs.shown import rows

    with Reader(caller.current()) as reader:
        desk = reads.of_command(reader.caller)
        answer = desk.answered(reader.caller, "memory.letters", table, lambda: recall.letters(reader, table))
    output.emit(answer, as_json=as_json, table=rows)
