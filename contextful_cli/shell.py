"""The operator's DuckDB."""

import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING

from contextful_cli import duck, lake, output, published
from contextful_cli.errors import ContextfulError
from contextful_cli.settings import Home

if TYPE_CHECKING:
    import duckdb


def connect(home: Home) -> "duckdb.DuckDBPyConnection":
    """Lake, published copy and warehouse attached read-only; the warehouse is left out while dbt holds it."""
    import duckdb

    con = lake.open_lake(home)
    published.attach(con, home)
    try:
        con.execute(f"attach {duck.quoted(home.warehouse)} as warehouse (read_only)")
    except duckdb.IOException:
        output.note("the warehouse is being built or not built yet; lake and published copy are attached")
    return con


def statements() -> Iterator[str]:
    """Statements from stdin, each ended by a semicolon; with a prompt on a terminal."""
    text = ""
    prompt = "contextful> " if sys.stdin.isatty() else ""
    while True:
        try:
            text += input("" if text else prompt) + "\n"
        except EOFError:
            break
        if text.rstrip().endswith(";"):
            yield text
            text = ""
    if text.strip():
        yield text


def run(con: "duckdb.DuckDBPyConnection", sql: str, *, as_json: bool) -> None:
    """Print a statement's rows: DuckDB's own box on a terminal, one JSON object a line otherwise."""
    import duckdb

    try:
        relation = con.sql(sql)
        if relation is None:
            return
        if as_json or not sys.stdout.isatty():
            for (line,) in relation.query("answer", "select to_json(answer)::varchar from answer").fetchall():
                print(line)
        else:
            relation.show(max_width=200)
    except duckdb.Error as error:
        raise ContextfulError("ArgumentMalformed", f"DuckDB refused: {error}") from None
