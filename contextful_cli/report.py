"""What `contextful status` tells."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from contextful_cli import clock as clocks
from contextful_cli import instants, lake, locks, output, published, quiet
from contextful_cli.settings import Home
from contextful_cli.shapes import SYSTEM_TABLES

if TYPE_CHECKING:
    import duckdb
    from rich.console import RenderableType

    from contextful_cli.clock import Clock
    from contextful_cli.declaration import Table


COUNTS = {"rows": "rows", "published": "published_rows"}


def status(home: Home, tables: "list[Table]") -> dict[str, Any]:
    """{home, lake, tables, published, locks}; rows are counted in the lake, stamps are RFC 3339."""
    clock = clocks.read(home)
    con = lake.open_lake(home)
    try:
        copy = published.attach(con, home)
        with quiet.reading(home):
            counted = [_table(con, shape, name, clock, copy) for name, shape in _shapes(tables).items()]
        return {
            "home": str(home.root),
            "lake": _lake(con, home, clock),
            "tables": counted,
            "published": _published(copy),
            "locks": _locks(home),
        }
    finally:
        con.close()


def _shapes(tables: "list[Table]") -> dict[str, str | None]:
    """Each lake table with its shape, or with what it stands beside; null for a source."""
    beside = {name: f"beside {table.name}" for table in tables for name in table.lake_tables()}
    return beside | {table.name: table.shape for table in tables} | dict.fromkeys(SYSTEM_TABLES, "reports")


def _stamp(us: int) -> str | None:
    return instants.format_us(us) if us else None


def _lake(con: "duckdb.DuckDBPyConnection", home: Home, clock: "Clock") -> dict[str, Any]:
    files = [path for path in home.data.rglob("*") if path.is_file()]
    (snapshot,) = con.execute("from ducklake_current_snapshot('landing')").fetchone()
    return {
        "format": clock.format,
        "last_commit": _stamp(clock.stamp),
        "commits_since_compaction": clock.uncompacted,
        "snapshot": snapshot,
        "files": len(files),
        "bytes": sum(path.stat().st_size for path in files) + home.catalog.stat().st_size,
    }


def _table(
    con: "duckdb.DuckDBPyConnection", shape: str | None, name: str, clock: "Clock", copy: "published.Copy | None"
) -> dict[str, Any]:
    facts: dict[str, Any] = {"table": name, "shape": shape}
    facts["rows"] = _count(con, f'landing.main."{name}"')
    facts["published_rows"] = _count(con, f'published.landing."{name}"') if copy and name in copy.layouts else None
    facts["last_landed"] = _stamp(clock.tables.get(name, 0))
    return facts


def _count(con: "duckdb.DuckDBPyConnection", relation: str) -> int | None:
    import duckdb

    try:
        return con.execute(f"select count(*) from {relation}").fetchone()[0]
    except duckdb.CatalogException:
        return None  # declared, not yet laid: the next write or build lays it


def _published(copy: "published.Copy | None") -> dict[str, Any] | None:
    if copy is None:
        return None
    return {"file": str(copy.file), "holds_until": _stamp(copy.stamp // 1000), "bytes": copy.file.stat().st_size}


def _locks(home: Home) -> dict[str, str | None]:
    files = {"lake": home.lake / "lock", "build": home.root / "build.lock"}
    return {name: locks.holder(file) if locks.is_held(file) else None for name, file in files.items()}


def status_tables(payload: dict[str, Any]) -> "Iterator[RenderableType]":
    """The same for a terminal: one table of the lake's tables, and a line each for the rest."""
    yield _lake_line(payload["home"], payload["lake"])
    yield _copy_line(payload["published"])
    yield from (f"{name} lock  {holder}" for name, holder in payload["locks"].items() if holder)
    yield ""
    yield output.grid([_table_line(row) for row in payload["tables"]])


def _table_line(row: dict[str, Any]) -> dict[str, str]:
    """A lake table's line, narrow enough for 80 columns."""
    counts = {name: "-" if row[key] is None else f"{row[key]:,}" for name, key in COUNTS.items()}
    shape = row["shape"] or "source"
    landed = (row["last_landed"] or "never")[: len("2026-01-31T09:30:00")].replace("T", " ")
    return {"table": row["table"], "shape": shape.split()[0], **counts, "last landed, UTC": landed}


def _lake_line(home: str, stored: dict[str, Any]) -> str:
    size = f"{stored['files']} files, {stored['bytes'] / 1e6:.1f} MB"
    return f"lake       {home}: {size}, last commit {stored['last_commit'] or 'none yet'}"


def _copy_line(copy: dict[str, Any] | None) -> str:
    if copy is None:
        return "published  nothing yet; run `contextful build`"
    return f"published  {copy['file']}: {copy['bytes'] / 1e6:.1f} MB, up to {copy['holds_until']}"
