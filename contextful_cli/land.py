"""Landing a file, a stream or a model into one declared table: checked whole, then committed whole."""

import uuid
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from contextful_cli import declaration, lake, layout, rows
from contextful_cli.errors import ContextfulError
from contextful_cli.shapes import WRITING_VERBS

if TYPE_CHECKING:
    import duckdb

    from contextful_cli.caller import Caller
    from contextful_cli.declaration import Table
    from contextful_cli.lake import Commit

RUN_ID_CHARACTERS = 200


@dataclass(frozen=True)
class Request:
    """What to land: one of source (path or ``-``) and model; taint and run_id are optional."""

    table: str
    source: str | None = None
    model: str | None = None
    taint: str | None = None
    run_id: str | None = None


def land(caller: "Caller", request: Request) -> dict[str, Any]:
    """Land one run; returns {table, run, rows}.

    Raises GrantWriteNotCovered for an unknown table, LandingShapeRefused for one that another verb fills,
    LandingMalformed with row and column for bad data; nothing is stored then.
    """
    home, table = caller.home, _landable(caller, request.table)
    taint = _taint(table, request.taint)
    run = _run_id(request.run_id)
    layout.lay_tables(home, caller.tables)
    con = _stage(caller, table, request)
    try:
        with lake.commit(con, home, "land") as work:
            _refuse_held_run(con, table, run)
            count = _insert(con, table, work, [run, caller.credential.on_behalf_of, taint])
    finally:
        con.close()
    return {"table": table.name, "run": run, "rows": count}


def _landable(caller: "Caller", name: str) -> "Table":
    if owner := caller.side_table_of(name, "write"):
        raise ContextfulError(
            "LandingShapeRefused", f"{name} is kept beside {owner.name} by the memory verbs; use these"
        )
    table = caller.covered(name, "write")
    if verb := WRITING_VERBS.get(table.shape or ""):
        raise ContextfulError("LandingShapeRefused", f"{name} has the shape {table.shape}; use `{verb} --into {name}`")
    return table


def _taint(table: "Table", asked: str | None) -> str:
    if asked is None:
        return table.trust
    if asked not in declaration.TRUST_LABELS:
        raise ContextfulError(
            "ArgumentMalformed", f"--taint takes one of {', '.join(declaration.TRUST_LABELS)}; got {asked}"
        )
    if declaration.TRUST_LABELS.index(asked) < declaration.TRUST_LABELS.index(table.trust):
        raise ContextfulError("ArgumentMalformed", f"--taint may only lower the declared trust, {table.trust}")
    return asked


def _run_id(asked: str | None) -> str:
    if asked is None:
        return f"r-{uuid.uuid4().hex}"
    if not asked.strip() or "\0" in asked or len(asked) > RUN_ID_CHARACTERS:
        message = f"--run-id takes 1 to {RUN_ID_CHARACTERS} characters, not all blank and none of them NUL"
        raise ContextfulError("ArgumentMalformed", message)
    return asked


def _stage(caller: "Caller", table: "Table", request: Request) -> "duckdb.DuckDBPyConnection":
    """A writer's connection with the checked rows in ``temp.staged``, in the order of the file or model."""
    con = lake.open_lake(caller.home, read_only=False)
    if request.model is None:
        rows.stage_file(con, table, request.source)
        return con
    from contextful_cli import models

    # By way of Parquet: a model's typed columns are then checked and cast exactly as a file's.
    with models.exported(caller, request.model) as exported:
        rows.stage_file(con, table, exported.file, "parquet")
    return con


def _refuse_held_run(con: "duckdb.DuckDBPyConnection", table: "Table", run: str) -> None:
    held = con.execute(f'select 1 from landing.main."{table.name}" where _run_id = ? limit 1', [run]).fetchone()
    if held:
        raise ContextfulError(
            "ArgumentMalformed", f"{table.name} already holds the run {run}; nothing was landed again"
        )


def _insert(con: "duckdb.DuckDBPyConnection", table: "Table", work: "Commit", facts: list[str | None]) -> int:
    """facts: run id, author, taint."""
    names = ", ".join(f'"{name}"' for name in table.columns)
    (count,) = con.execute(
        f'insert into landing.main."{table.name}" by name select {names}, make_timestamp_ns(?) as _ingested_at, '
        "? as _run_id, rowid as _row_seq, ? as _authored_by, ? as _taint from temp.main.staged order by rowid",
        [work.stamp * 1000, *facts],
    ).fetchone()
    if count:  # a clock ahead of its table would keep a crash's leavings from being swept
        work.touch(table.name)
    return count
