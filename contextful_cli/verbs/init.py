"""`contextful init`: the lake, its tables, the secrets and the compiled functions."""

from typing import Annotated

import typer


def init_verb(
    new_pepper: Annotated[
        bool, typer.Option("--new-pepper", help="The pepper is lost for good: give up the digests made with it.")
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON line.")] = False,
) -> None:
    """Make the lake, its declared tables, the secrets and the compiled SQL functions; safe to repeat.

    Example: contextful init
    """
    from contextful_cli import declaration, lake, layout, output, pepper, warehouse
    from contextful_cli.credentials import tokens
    from contextful_cli.settings import Home

    home = Home.locate()
    tables = declaration.load(home.project)
    lake.create(home)
    changes = layout.lay_tables(home, tables)
    pepper.ensure(home, tables, renew=new_pepper)
    tokens.ensure(home)
    if warehouse.is_compilation_due(home):
        output.note("compiling the SQL functions (a few seconds) …")
        warehouse.build(home, warehouse.FUNCTIONS)
    payload = {"home": str(home.root), "tables": len(tables), "laid": changes}
    output.emit(payload, as_json=as_json)
