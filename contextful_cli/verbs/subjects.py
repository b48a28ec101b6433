"""`contextful memory subjects`: whom and what a claims table knows about."""

from typing import Annotated

import typer


def subjects_verb(
    table: Annotated[str, typer.Option(help="The claims table.")],
    prefix: Annotated[str | None, typer.Option(help="Only subjects that begin so.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON line.")] = False,
) -> None:
    """List the subjects of a claims table, each with the number of its claims.

    Example: contextful memory subjects --table congress_claims --prefix C00
    """
    from contextful_cli import caller, output, reads, recall
    from contextful_cli.reader import Reader
    from contextful_cli.verbs.shown import rows

    with Reader(caller.current()) as reader:
        desk = reads.of_command(reader.caller)
        answer = desk.answered(reader.caller, "memory.subjects", table, lambda: recall.subjects(reader, table, prefix))
    output.emit(answer, as_json=as_json, table=rows)
