"""The lake's tables, kept up to the declarations: tables and columns are added, nothing is ever dropped."""

import json
from hashlib import sha256
from typing import TYPE_CHECKING

from contextful_cli import clock as clocks
from contextful_cli import lake
from contextful_cli.errors import ContextfulError
from contextful_cli.settings import Home
from contextful_cli.tables import lake_tables

if TYPE_CHECKING:
    from collections.abc import Iterator

    import duckdb

    from contextful_cli.tables import Table

Columns = dict[str, str]


def lay_tables(home: Home, tables: "list[Table]") -> list[str]:
    """Bring the lake's tables up to the declarations; rows stay. Returns the names of the tables made or widened.

    A column whose stored type differs from the declared one refuses with DeclarationMalformed.
    """
    wanted = lake_tables(tables)
    layout = sha256(json.dumps(wanted).encode()).hexdigest()
    if clocks.read(home).layout == layout:
        return []
    with lake.hold(home, "declarations") as clock:
        changed = _alter(home, wanted)
        clock.layout = layout
        clocks.write(home, clock)
    return changed


def _alter(home: Home, wanted: dict[str, Columns]) -> list[str]:
    con = lake.open_lake(home, read_only=False)
    try:
        stored = stored_columns(con)
        changes = {name: list(_changes(con, name, stored.get(name), wanted[name])) for name in wanted}
        con.execute("begin")
        for statement in (statement for statements in changes.values() for statement in statements):
            con.execute(statement)
        con.execute("commit")
    except BaseException as error:
        lake.roll_back(con)
        raise lake.storage_failure(error) from error
    finally:
        con.close()
    return [name for name, statements in changes.items() if statements]


def stored_columns(con: "duckdb.DuckDBPyConnection") -> dict[str, Columns]:
    """The attached lake's tables, each with its columns and their types as DuckDB spells them."""
    rows = con.execute(
        "select table_name, column_name, data_type from duckdb_columns() where database_name = 'landing'"
    ).fetchall()
    stored: dict[str, Columns] = {}
    for table, column, data_type in rows:
        stored.setdefault(table, {})[column] = data_type
    return stored


def _changes(con: "duckdb.DuckDBPyConnection", table: str, stored: Columns | None, wanted: Columns) -> "Iterator[str]":
    """The statements that bring one table up to its declared columns."""
    if stored is None:
        yield from _creation(table, wanted)
        return
    for name, data_type in wanted.items():
        if name in stored:
            _refuse_other_type(con, f"{table}.{name}", stored[name], data_type)
        else:
            yield f'alter table landing.main."{table}" add column "{name}" {data_type}'


def _refuse_other_type(con: "duckdb.DuckDBPyConnection", column: str, stored: str, declared: str) -> None:
    (spelled,) = con.execute(f"select typeof(null::{declared})").fetchone()
    if spelled != stored:
        message = f"column {column} is stored as {stored} and declared {declared}; declare a new column instead"
        raise ContextfulError("DeclarationMalformed", message)


def _creation(table: str, columns: Columns) -> "Iterator[str]":
    body = ", ".join(f'"{name}" {data_type}' for name, data_type in columns.items())
    yield f'create table landing.main."{table}" ({body})'
    if "subject" in columns:
        # DuckLake then sorts inserts, flushes and merges itself: point reads from the lake alone stay quick.
        yield f'alter table landing.main."{table}" set sorted by (subject asc)'
    # Until a row has been in a table, DuckLake asks the catalog for its statistics once a column, 100 ms in all.
    yield f'insert into landing.main."{table}" ("{next(iter(columns))}") values (null)'
    yield f'delete from landing.main."{table}"'
