"""Bringing a lake up to this release. So far there is one format; what can be mended is a lost or damaged clock."""

from typing import TYPE_CHECKING

from contextful_cli import clock as clocks
from contextful_cli import duck, lake, layout, locks
from contextful_cli.clock import Clock
from contextful_cli.errors import ContextfulError
from contextful_cli.settings import Home

if TYPE_CHECKING:
    import duckdb


def restore_clock(home: Home) -> bool:
    """Rebuild the clock from the rows where it is missing, damaged or behind; tells whether it was written anew."""
    if not clocks.has_catalog(home):
        raise clocks.absent(home)
    with locks.hold(home.lake / "lock", "upgrade", busy="LakeBusy"):
        stored = _stored(home)
        con = duck.connect()
        try:
            duck.attach_lake(con, home, read_only=True)
            rebuilt = _from_rows(con)
        finally:
            con.close()
        if stored and all(stored.tables.get(name, 0) >= stamp for name, stamp in rebuilt.tables.items()):
            return False
        clocks.write(home, rebuilt)
        return True


def _stored(home: Home) -> Clock | None:
    """The clock as it stands, None when it is missing or damaged; one of a newer release refuses."""
    try:
        return clocks.read(home)
    except ContextfulError as error:
        if "newer release" in error.message:
            raise
        return None


def _from_rows(con: "duckdb.DuckDBPyConnection") -> Clock:
    clock = Clock(tables=lake.last_stamps(con))
    clock.stamp = max(clock.tables.values(), default=0)
    # Instants minted after the last stamp (one a line of its batch) are valid times of claims: stay after them too.
    clock.instant = max(clock.stamp, *(_last_minted(con, name, clock.stamp) for name in _claims(con)), 0)
    return clock


def _claims(con: "duckdb.DuckDBPyConnection") -> list[str]:
    return [name for name, columns in layout.stored_columns(con).items() if "claim_id" in columns and "tier" in columns]


def _last_minted(con: "duckdb.DuckDBPyConnection", name: str, stamp: int) -> int:
    """The latest valid_from that a commit minted: at most its stamp and one µs for each of its lines."""
    (last,) = con.execute(
        f'select max(epoch_us(valid_from)) from landing.main."{name}" '
        "where epoch_us(valid_from) - epoch_ns(_ingested_at) // 1000 between 0 and _row_seq + 1"
    ).fetchone()
    return last or stamp
