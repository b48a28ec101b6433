"""`contextful declare list | check | import`: the declared tables."""

from pathlib import Path
from typing import Annotated

import typer

Json = Annotated[bool, typer.Option("--json", help="Print one JSON line.")]


def list_verb(as_json: Json = False) -> None:
    """List the declared tables, in the order of their files.

    Example: contextful declare list
    """
    from contextful_cli import declaration, output
    from contextful_cli.settings import Home

    tables = [
        {
            "table": table.name,
            "shape": table.shape,
            "key": table.key,
            "columns": len(table.columns),
            "trust": table.trust,
            "available_time": table.available_time.column if table.available_time else None,
            "file": table.file,
        }
        for table in declaration.load(Home.locate().project)
    ]
    output.emit({"tables": tables}, as_json=as_json)


def check_verb(as_json: Json = False) -> None:
    """Report everything that is wrong with the declarations; exit 1 when anything is.

    Example: contextful declare check
    """
    from contextful_cli import declare, output
    from contextful_cli.settings import Home

    report = declare.check(Home.locate().project)
    output.emit(report, as_json=as_json)
    if report["faults"]:
        raise typer.Exit(1)


def import_verb(
    file: Annotated[Path, typer.Argument(help="A TOML file of `table` and `relation.declared` entries.")],
    as_json: Json = False,
) -> None:
    """Turn a TOML file into a file of declarations under models/landing; overwrites none.

    Example: contextful declare import contextful.toml
    """
    from contextful_cli import declare, output
    from contextful_cli.settings import Home

    output.emit(declare.import_toml(Home.locate().project, file), as_json=as_json)
