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
    from contextful_cli import declaration, output, recall
    from contextful_cli.reader import Reader
    from contextful_cli.settings import Home
    from contextful_cli.verbs.shown import reasons

    home = Home.locate()
    with Reader(home, declaration.load(home.project)) as reader:
        found = recall.why(reader, table, claim_id)
    output.emit(found, as_json=as_json, table=reasons)
