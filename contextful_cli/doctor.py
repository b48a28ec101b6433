"""What `contextful doctor` looks at. Each check is a function that yields what is wrong; nothing is changed."""

import stat
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from contextful_cli import clock as clocks
from contextful_cli import declaration, lake, layout, published, session
from contextful_cli.caller import local_operator
from contextful_cli.errors import ContextfulError
from contextful_cli.ledger import verify
from contextful_cli.settings import Home
from contextful_cli.shapes import SYSTEM_TABLES
from contextful_cli.tables import lake_tables

if TYPE_CHECKING:
    import duckdb


@dataclass(frozen=True)
class Finding:
    """check: what was looked at; problem: what is wrong and what to do, None when nothing is."""

    check: str
    problem: str | None


def examine(home: Home) -> list[Finding]:
    """All checks in order; one finding for a sound check, one for each problem of another."""
    findings = [finding for name, check in CHECKS.items() for finding in _findings(home, name, check)]
    told: set[str | None] = set()
    # What breaks several checks alike is told once.
    return [one for one in findings if one.problem is None or not (one.problem in told or told.add(one.problem))]


def _findings(home: Home, name: str, check: Callable[[Home], Iterator[str]]) -> Iterator[Finding]:
    import duckdb

    problems: list[str] = []
    try:
        problems += check(home)
    except ContextfulError as error:
        problems.append(str(error))
    except (duckdb.Error, OSError, ValueError, TypeError) as error:
        problems.append(str(error).splitlines()[0])
    yield from (Finding(name, problem) for problem in problems or [None])


def _declarations(home: Home) -> Iterator[str]:
    yield from (str(fault) for fault in declaration.read(home.project)[1])


def _clock(home: Home) -> Iterator[str]:
    """The clock may be ahead of the lake (a crash), never behind it: a reader would miss rows."""
    clock = clocks.read(home)
    for name, last in lake.last_stamps(lake.open_lake(home)).items():
        if last > min(clock.tables.get(name, 0), clock.stamp):
            yield f"the clock is behind table {name}; run `contextful upgrade`"


def _stored_tables(con: "duckdb.DuckDBPyConnection") -> list[str]:
    query = "select table_name from duckdb_tables() where database_name = 'landing' order by table_name"
    return [name for (name,) in con.execute(query).fetchall()]


def _rows(home: Home) -> Iterator[str]:
    """Every stored row is read whole, so that a damaged or missing file shows; a row landed twice shows too."""
    import duckdb

    con = lake.open_lake(home)
    for name in _stored_tables(con):
        try:
            con.execute(f'select bit_xor(hash(t)) from landing.main."{name}" as t').fetchone()
        except duckdb.Error as error:
            yield f"table {name} cannot be read; restore this file from a backup: {str(error).splitlines()[0]}"
            continue
        twice = con.execute(
            f'select count(*) from (select 1 from landing.main."{name}" group by _run_id, _row_seq '
            "having count(*) > 1 and count(distinct _ingested_at) = 1)"
        ).fetchone()[0]
        if twice and not name.endswith("_letters"):
            yield f"table {name} holds {twice} rows twice"


def _layout(home: Home) -> Iterator[str]:
    """Each declared table stands in the lake with its declared columns."""
    stored = layout.stored_columns(lake.open_lake(home))
    for name, columns in lake_tables(declaration.load(home.project)).items():
        if missing := [column for column in columns if column not in stored.get(name, {})]:
            yield f"table {name} lacks {', '.join(missing)} in the lake; run `contextful init`"


def _published(home: Home) -> Iterator[str]:
    con = lake.open_lake(home)
    copy = published.attach(con, home)
    if copy is None:
        if home.current.is_symlink():
            yield "the published copy is damaged or of another DuckDB and is not used; run `contextful build`"
    elif copy.stamp > clocks.read(home).stamp * 1000:
        yield "the published copy is ahead of the lake; delete the folder published and run `contextful build`"


def _functions(home: Home) -> Iterator[str]:
    tables = declaration.load(home.project)
    shaped = [table.name for table in tables if table.shape]
    # Some functions are a writer's.
    con = session.open_session(local_operator(home, tables), shaped=shaped, views=SYSTEM_TABLES, writer=True)
    session.load_functions(con, home, *session.compiled_functions(home))
    yield from ()


def _secrets(home: Home) -> Iterator[str]:
    for path in home.pepper.parent.iterdir():
        if path.stat().st_mode & (stat.S_IRWXG | stat.S_IRWXO):
            yield f"{path} is open to others; run `chmod 600 {path}`"
    if not home.pepper.exists():
        yield f"{home.pepper} is missing: stored key digests no longer resolve; restore it from a backup"


def _read_ledger(home: Home) -> Iterator[str]:
    """The whole chain is walked; the ledger is the owner's alone."""
    for path in (home.audit, *home.audit.glob("*")):
        if path.exists() and path.stat().st_mode & (stat.S_IRWXG | stat.S_IRWXO):
            mode = "700" if path.is_dir() else "600"
            yield f"{path} is open to others; run `chmod {mode} {path}`"
    for one in verify.verify(home).broken[:1]:
        where = one.file if one.line is None else f"{one.file} line {one.line}"
        yield f"the read ledger is broken, first in {where}: {one.problem}; run `contextful audit verify`"


CHECKS: dict[str, Callable[[Home], Iterator[str]]] = {
    "declarations": _declarations,
    "clock": _clock,
    "layout": _layout,
    "rows": _rows,
    "published copy": _published,
    "functions": _functions,
    "secrets": _secrets,
    "read ledger": _read_ledger,
}
