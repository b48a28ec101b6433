"""`contextful shell`: the operator's DuckDB, with lake, warehouse and published copy attached."""

from typing import Annotated

import typer


def shell_verb(
    sql: Annotated[str | None, typer.Argument(help="One statement; without it, they are read from stdin.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON line a row.")] = False,
) -> None:
    """Run SQL over the lake (landing), the warehouse and the published copy, all read-only.

    Example: contextful shell "select count(*) from landing.main.congress_terms"
    """
    from contextful_cli import quiet, shell
    from contextful_cli.credentials import authenticate

    home = authenticate.operator_home("shell")
    con = shell.connect(home)
    statements = [sql] if sql is not None else shell.statements()
    for statement in statements:
        with quiet.reading(home):
            shell.run(con, statement, as_json=as_json)
