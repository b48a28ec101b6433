"""The published copy: finding the current one, attaching it, swapping it, and sweeping the old ones."""

import fcntl
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from contextful_cli import duck
from contextful_cli.settings import Home

if TYPE_CHECKING:
    import duckdb

ROOMY = "select free_blocks * 3 >= total_blocks from pragma_database_size() where database_name = 'published'"


@dataclass(frozen=True)
class Copy:
    """file: the copy's own file; stamp: it holds what was landed up to it (ns).
    layouts: lake table to its columns; keys: declared table to its key's columns, as they were when it was made."""

    file: Path
    stamp: int
    layouts: dict[str, list[str]]
    keys: dict[str, list[str]]


def suffix() -> str:
    """Ending of a copy's file name; it names DuckDB's version, since the indexed hashes may differ in another one."""
    import duckdb

    return f".duckdb-{duckdb.__version__}.duckdb"


def current(home: Home) -> Path | None:
    """The file of the current copy, None where there is none that this DuckDB can use."""
    try:
        file = home.published / home.current.readlink()
    except FileNotFoundError:
        return None
    return file if file.name.endswith(suffix()) else None


def attach(con: "duckdb.DuckDBPyConnection", home: Home) -> Copy | None:
    """Attach the current copy as ``published``, read-only; None without a readable one: the lake has every row."""
    import duckdb

    while (file := current(home)) is not None:
        try:
            con.execute(f"attach {duck.quoted(file)} as published (read_only)")
            return _describe(con, file)
        except duckdb.Error:
            con.execute("detach database if exists published")
            if current(home) == file:  # else it was swept meanwhile, and there is a newer one
                return None
    return None


def _describe(con: "duckdb.DuckDBPyConnection", file: Path) -> Copy:
    (stamp,) = con.execute("select stamp from published.contextful.build").fetchone()
    layouts = con.execute(
        "select table_name, list(column_name order by column_index) from duckdb_columns() "
        "where database_name = 'published' and schema_name = 'landing' group by table_name"
    ).fetchall()
    keys = con.execute("select _table, key from published.contextful.declared_tables").fetchall()
    return Copy(file=file, stamp=stamp, layouts=dict(layouts), keys=dict(keys))


def begin(home: Home, file: Path, stamp: int) -> None:
    """Lay the file of a new copy: the current one's, where a build of that stamp (ns) can go on from it.

    One of which a third or more is free space is left behind.
    """
    import shutil

    con = duck.connect()
    copy = attach(con, home)
    is_roomy = copy is not None and con.execute(ROOMY).fetchone() == (True,)
    con.close()
    if copy is not None and copy.stamp <= stamp and not is_roomy:
        shutil.copyfile(copy.file, file)


def make_current(home: Home, file: Path) -> None:
    """Point ``current.duckdb`` at a finished, closed copy in one atomic step; then sweep what nobody reads."""
    link = home.published / f".{file.name}.link"
    link.unlink(missing_ok=True)
    link.symlink_to(file.name)
    link.replace(home.current)
    sweep(home)


def sweep(home: Home) -> list[Path]:
    """Delete copies that are neither current nor open anywhere, half-written ones of killed builds included."""
    keep = {home.current.name, home.current.readlink().name} if home.current.is_symlink() else set()
    swept = [file for file in home.published.iterdir() if file.name not in keep and not _is_open(file)]
    for file in swept:
        file.unlink(missing_ok=True)
    return swept


def _is_open(file: Path) -> bool:
    """Whether a process has it open in DuckDB, which keeps a POSIX lock on an open database file."""
    if file.is_symlink():
        return False
    try:
        with file.open("r+b") as handle:
            fcntl.lockf(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except FileNotFoundError:
        return False
    except OSError:
        return True
    return False
