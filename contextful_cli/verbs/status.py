"""`contextful status`: what is where, how much, how fresh, who holds a lock."""

from typing import Annotated

import typer


def status_verb(as_json: Annotated[bool, typer.Option("--json", help="Print one JSON line.")] = False) -> None:
    """Show the tables with their rows and freshness, the published copy, and who holds a lock.

    Example: contextful status
    """
    from contextful_cli import declaration, output, report
    from contextful_cli.settings import Home

    home = Home.locate()
    output.emit(report.status(home, declaration.load(home.project)), as_json=as_json, table=report.status_tables)
