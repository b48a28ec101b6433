"""A caller's session: the views through which every read goes, over the published copy and the lake.

The views are Jinja macros in macros/session/, rendered here for dbt's own session and for a caller's alike.
"""

import json
import os
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any

from contextful_cli import clock as clocks
from contextful_cli import duck, published
from contextful_cli.credentials.rights import column_of
from contextful_cli.errors import ContextfulError
from contextful_cli.settings import Home
from contextful_cli.shapes import SYSTEM_TABLES

if TYPE_CHECKING:
    import duckdb

    from contextful_cli.caller import Caller
    from contextful_cli.credentials.rights import Rights
    from contextful_cli.tables import Table


@dataclass(frozen=True)
class Reach:
    """Where a lake table's rows are to be read: in the published copy, in the lake, or in both (a union)."""

    published: bool
    lake: bool


MOST_SCRIPTS = 256
# Stand for the stamps in a kept script: a build moves them and changes nothing else.
AFTER, UNTIL = "<after>", "<until>"


def script(
    caller: "Caller",
    reaches: dict[str, Reach],
    *,
    views: Iterable[str],
    after: int | None = None,
    until: int | None = None,
    pending: bool = True,
) -> str:
    """The statements that lay a session of the caller's tables that are within reach.

    after, until: the published copy's and the build's stamp (ns). pending: lay the tables in which a write's lines
    stand, too. The values of row filters are no part of it: `open_session` binds them.
    """
    described = [_described(caller.rights, table) for table in caller.tables if table.name in reaches]
    bounds = {"after": None if after is None else AFTER, "until": None if until is None else UNTIL}
    reached = {name: {"published": reach.published, "lake": reach.lake} for name, reach in reaches.items()}
    text = _kept(caller.home, [described, reached, list(views), bounds, after is not None, pending])
    return text.replace(AFTER, str(after)).replace(UNTIL, str(until))


def _described(rights: "Rights", table: "Table") -> dict[str, Any]:
    """What the macros are told of a table. Columns that a token names are taken up as declared, or not at all."""
    return {
        "name": table.name,
        "shape": table.shape,
        "key": table.key,
        "available_column": table.available_time.column if table.available_time else None,
        "max_rows": table.max_rows,
        "labels": table.labels,
        "predictions": table.predictions,
        "masks": sorted(rights.masked_columns(table)),
        "filters": [{"column": column_of(table, name)} for name, _ in rights.filters_of(table.name)],
    }


def _kept(home: Home, arguments: list[object]) -> str:
    """The rendered script for these arguments, from the state folder where it was rendered before.

    Importing Jinja and compiling the macros takes 0.1 s, a fifth of a cold read.
    """
    macros = _macros(home.project)
    digest = sha256(json.dumps([macros, arguments]).encode()).hexdigest()
    file = home.root / "sessions" / f"{digest}.sql"
    try:
        return file.read_text("utf-8")
    except OSError:
        text = _render(macros, arguments)
    with suppress(OSError):  # a state folder that cannot be written to can still be read from
        file.parent.mkdir(mode=0o700, exist_ok=True)
        fresh = file.with_suffix(f".{os.getpid()}")
        fresh.write_text(text, "utf-8")
        fresh.replace(file)
        _sweep(file.parent)
    return text


def _sweep(folder: Path) -> None:
    """Forget the scripts not used for longest: whoever narrows tokens in ever new ways would fill the disk."""
    kept = sorted(folder.glob("*.sql"), key=lambda file: file.stat().st_mtime)
    for file in kept[:-MOST_SCRIPTS]:
        file.unlink(missing_ok=True)


def _macros(project: Path) -> str:
    files = sorted((project / "macros" / "session").glob("*.sql"))
    return "\n".join(file.read_text("utf-8") for file in files)


def _render(macros: str, arguments: list[object]) -> str:
    from jinja2 import Environment, StrictUndefined

    module = Environment(undefined=StrictUndefined, autoescape=False).from_string(macros).module
    return str(module.session_script(*arguments))


def open_session(
    caller: "Caller", *, shaped: Iterable[str] = (), views: Iterable[str] = (), writer: bool = False
) -> "duckdb.DuckDBPyConnection":
    """A private in-memory connection whose ``session`` schema reaches what the caller may read, and nothing else.

    shaped: the tables its unions should hold (side tables come along); views: lake tables that get a view of their own;
    writer: attach the lake for writing. Source tables are always within reach, for the evidence; any other would cost a
    read the lake whenever something has landed in it.
    """
    home = caller.home
    clock = clocks.read(home)
    con = duck.connect()
    copy = published.attach(con, home)
    named = {*shaped, *views}
    kept = [table for table in caller.readable if table.shape is None or table.name in named]
    reaches = {
        name: _reach(
            name, columns, clock, copy if copy and copy.keys.get(table.name) == table.key else None, writer=writer
        )
        for table in kept
        for name, columns in table.lake_tables().items()
    } | {name: _reach(name, SYSTEM_TABLES[name], clock, copy, writer=writer) for name in named & SYSTEM_TABLES.keys()}
    if writer or any(reach.lake for reach in reaches.values()):
        duck.attach_lake(con, home, read_only=not writer)
    con.execute("attach ':memory:' as warehouse; use warehouse")
    con.execute(script(caller, reaches, views=views, after=copy.stamp if copy else None, pending=writer))
    for table in kept:
        for number, (_, values) in enumerate(caller.rights.filters_of(table.name)):
            con.execute("insert into session.row_filters values (?, ?, ?)", [table.name, number, sorted(values)])
    return con


def _reach(
    name: str, columns: dict[str, str], clock: clocks.Clock, copy: "published.Copy | None", *, writer: bool
) -> Reach:
    """A table without later rows needs no lake; one whose columns or key changed since the copy was made, no copy.

    A writer always reaches the lake: others may commit between the opening of its session and its lock.
    """
    in_copy = copy is not None and copy.layouts.get(name) == list(columns)
    has_tail = in_copy and clock.tables.get(name, 0) * 1000 > copy.stamp
    return Reach(published=in_copy, lake=not in_copy or has_tail or writer)


def load_functions(con: "duckdb.DuckDBPyConnection", home: Home, *names: str) -> None:
    """Create table functions that dbt compiled, and those they call first; the session must be laid."""
    stored = compiled_functions(home)
    if not stored:
        raise ContextfulError("LakeMissing", "the SQL functions are not compiled, or damaged; run `contextful init`")
    con.execute("; ".join(f"create schema if not exists {schema}" for schema in {e["schema"] for e in stored.values()}))
    for name in _in_order(stored, names):
        con.execute(stored[name]["statement"])


def compiled_functions(home: Home) -> dict[str, dict[str, Any]]:
    """The hand-over of dbt: a function's name to {name, schema, statement, depends_on}; empty if missing or damaged."""
    try:
        return {entry["name"]: entry for entry in json.loads(home.functions.read_bytes())}
    except (FileNotFoundError, ValueError, TypeError, KeyError):
        return {}


def _in_order(stored: dict[str, dict], names: Iterable[str]) -> list[str]:
    """The functions and all they call, callees first."""
    ordered: dict[str, None] = {}

    def visit(name: str) -> None:
        if name not in stored:
            raise ContextfulError("LakeMissing", f"the SQL function {name} is not compiled; run `contextful init`")
        for callee in stored[name]["depends_on"]:
            visit(callee)
        ordered[name] = None

    for name in names:
        visit(name)
    return list(ordered)
