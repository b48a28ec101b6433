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
    from contextful_cli import declaration, output, recall
    from contextful_cli.reader import Reader
    from contextful_cli.settings import Home
    from contextful_cli.verbs.shown import rows

    home = Home.locate()
    with Reader(home, declaration.load(home.project)) as reader:
        answer = recall.letters(reader, table)
    output.emit(answer, as_json=as_json, table=rows)
