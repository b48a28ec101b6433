"""`contextful land`: one file, stream or model into one declared table."""

from typing import Annotated

import typer


def land_verb(
    table: Annotated[str, typer.Option(help="The declared table.")],
    source: Annotated[
        str | None, typer.Option("--from", help="A .csv, .jsonl or .parquet file; - for JSON lines on stdin.")
    ] = None,
    from_model: Annotated[str | None, typer.Option(help="A dbt model, built first.")] = None,
    taint: Annotated[str | None, typer.Option(help="A lower trust than the table's declared one.")] = None,
    run_id: Annotated[str | None, typer.Option(help="Name of this run; one the table already holds refuses.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON line.")] = False,
) -> None:
    """Land a file into a source, entities, edges, episodes or preferences table: all of it, or nothing.

    Example: contextful land --table congress_terms --from samples/congress/terms-1.csv
    """
    from contextful_cli import caller, land, output
    from contextful_cli.errors import ContextfulError

    if (source is None) == (from_model is None):
        raise ContextfulError("ArgumentMalformed", "give either --from FILE or --from-model MODEL")
    request = land.Request(table=table, source=source, model=from_model, taint=taint, run_id=run_id)
    output.emit(land.land(caller.current(), request), as_json=as_json)
