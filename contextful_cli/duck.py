"""DuckDB connections as every part of the project opens them: in UTC, with the extensions that came as wheels."""

from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import duckdb

    from contextful_cli.settings import Home

EXTENSIONS = ("sqlite_scanner", "ducklake")


def load_extensions(con: "duckdb.DuckDBPyConnection") -> None:
    """Load the extensions from their wheels; nothing is downloaded, at no time."""
    for name in EXTENSIONS:
        folder = Path(find_spec(f"duckdb_extension_{name}").origin).parent
        (binary,) = folder.glob("extensions/*/*.duckdb_extension")
        con.execute(f"load '{binary}'")
    con.execute("set allow_unsigned_extensions = false")


def connect() -> "duckdb.DuckDBPyConnection":
    """A private in-memory connection in UTC."""
    import duckdb

    # The extensions are signed; but checking it hashes 70 MB, half of a cold read, and pip has checked the wheels.
    con = duckdb.connect(":memory:", config={"allow_unsigned_extensions": "true"})
    con.execute("set TimeZone = 'UTC'; set autoinstall_known_extensions = false; set enable_progress_bar = false")
    return con


def records(result: "duckdb.DuckDBPyConnection") -> list[dict[str, Any]]:
    """The rows of an open result, one mapping each, by column name."""
    names = [column[0] for column in result.description]
    return [dict(zip(names, row, strict=True)) for row in result.fetchall()]


def quoted(text: str | Path) -> str:
    """A string literal; for paths in ATTACH and COPY, which take no parameters."""
    return "'" + str(text).replace("'", "''") + "'"


def attach_lake(con: "duckdb.DuckDBPyConnection", home: "Home", *, read_only: bool) -> None:
    """Attach the lake as ``landing``. The data path is given anew each time, so that a state folder can be moved."""
    load_extensions(con)
    options = ["override_data_path true", "meta_busy_timeout 10000"]
    # Naming the journal mode on a read-only attach fails; WAL lets builds read beside a writer.
    options.append("read_only" if read_only else "meta_journal_mode 'WAL'")
    catalog, data = quoted(f"ducklake:sqlite:{home.catalog}"), quoted(f"{home.data}/")
    con.execute(f"attach {catalog} as landing (data_path {data}, {', '.join(options)})")
