"""The landing lake: making it, opening it, committing to it one writer at a time, compacting it."""

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from contextful_cli import clock as clocks
from contextful_cli import duck, locks, quiet
from contextful_cli.clock import Clock
from contextful_cli.errors import ContextfulError
from contextful_cli.settings import Home

if TYPE_CHECKING:
    import duckdb

COMMITS_BEFORE_COMPACTION = 256
SNAPSHOT_GRACE = "1 hour"  # readers in flight keep the files of the snapshot they began with


@dataclass
class Commit:
    """One commit under way. stamp: its `_ingested_at` in µs. `touch` names each table that gets rows."""

    stamp: int
    instant: int
    tables: set[str] = field(default_factory=set)

    def touch(self, *tables: str) -> None:
        self.tables.update(tables)

    def mint(self, lines: int) -> None:
        """Reserve the instants stamp + 1 … stamp + lines (µs), one a line, for lines without an own instant."""
        self.instant = max(self.instant, self.stamp + lines)


@contextmanager
def hold(home: Home, verb: str) -> Iterator[Clock]:
    """The lake's lock, with the clock as the last commit left it."""
    clocks.read(home)  # before the lock, which would make its folder
    with locks.hold(home.lake / "lock", verb, busy="LakeBusy"):
        yield clocks.read(home)


@contextmanager
def commit(con: "duckdb.DuckDBPyConnection", home: Home, verb: str) -> Iterator[Commit]:
    """One transaction on the attached lake under its lock; any exception rolls it back whole.

    The clock is written between the block and the commit: a killed process leaves it at most ahead of the lake.
    """
    with hold(home, verb) as clock:
        stamp = clock.next_stamp()
        work = Commit(stamp=stamp, instant=stamp)
        con.execute("begin")
        try:
            yield work
            if work.tables:
                _finish(con, home, clock, work, verb)
            else:
                con.execute("rollback")
        except BaseException as error:
            roll_back(con)
            raise storage_failure(error) from error


def _finish(con: "duckdb.DuckDBPyConnection", home: Home, clock: Clock, work: Commit, verb: str) -> None:
    import duckdb

    clock.stamp, clock.instant = work.stamp, max(clock.instant, work.instant)
    clock.tables.update(dict.fromkeys(work.tables, work.stamp))
    clock.uncompacted += 1
    con.execute("call ducklake_set_commit_message('landing', 'contextful', ?, extra_info => ?)", [verb, clock.dumps()])
    clocks.write(home, clock)
    con.execute("commit")
    if clock.uncompacted >= COMMITS_BEFORE_COMPACTION:
        # What is committed stands, whatever becomes of the flush: the next commit tries it again.
        with suppress(duckdb.Error, OSError), quiet.flushing(home) as is_quiet:
            if is_quiet:
                flush(con)
                clock.uncompacted = 0
                clocks.write(home, clock)


def roll_back(con: "duckdb.DuckDBPyConnection") -> None:
    import duckdb

    with suppress(duckdb.Error):  # the failed statement may have ended the transaction already
        con.execute("rollback")


def storage_failure(error: BaseException) -> BaseException:
    """A failure of disk or catalog as StorageFailed; anything else unchanged."""
    import duckdb

    storage = isinstance(error, duckdb.IOException | duckdb.FatalException | OSError)
    if storage or (isinstance(error, duckdb.Error) and "database is locked" in str(error)):
        first = str(error).splitlines()[0]
        return ContextfulError("StorageFailed", f"nothing was stored; the storage answered: {first}")
    return error


def open_lake(home: Home, *, read_only: bool = True) -> "duckdb.DuckDBPyConnection":
    """A private connection with the lake attached as ``landing``; refuses where this release can read none."""
    clocks.read(home)
    con = duck.connect()
    duck.attach_lake(con, home, read_only=read_only)
    return con


def create(home: Home) -> None:
    """Make an empty lake where there is none; safe to repeat and to race."""
    for folder in (home.root, home.lake, home.data, home.published, home.pepper.parent):
        _make_private(folder)
    with locks.hold(home.lake / "lock", "init", busy="LakeBusy"):
        if home.clock.exists() or home.catalog.exists() or any(home.data.iterdir()):
            clocks.read(home)  # refuses where only a part of a lake is left: an empty catalog would disown its files
            return
        con = duck.connect()
        duck.attach_lake(con, home, read_only=False)
        con.close()
        clocks.write(home, Clock())


def _make_private(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    except OSError as error:
        raise ContextfulError("StorageFailed", f"{folder} cannot be made: {error.strerror}") from None


def flush(con: "duckdb.DuckDBPyConnection") -> None:
    """Write inlined rows to Parquet; the caller holds the lake's lock."""
    # By one thread: on a busy machine two have corrupted the process's memory in it (DuckLake for DuckDB 1.5.5).
    con.execute("set threads = 1")
    try:
        con.execute("call ducklake_flush_inlined_data('landing')")
    finally:
        con.execute("reset threads")


def compact(home: Home) -> None:
    """Flush inlined rows, merge small files, delete files that no snapshot in use needs or that a crash left."""
    grace = f"now() - interval '{SNAPSHOT_GRACE}'"
    with hold(home, "build") as clock:
        con = open_lake(home, read_only=False)
        try:
            with quiet.flushing(home) as is_quiet:
                if is_quiet:
                    flush(con)
                    clock.uncompacted = 0
            con.execute("call ducklake_merge_adjacent_files('landing')")
            con.execute(f"call ducklake_expire_snapshots('landing', older_than => {grace})")
            con.execute(f"call ducklake_cleanup_old_files('landing', older_than => {grace})")
            # A catalog behind the clock may be an old backup, which disowns newer files: they are kept.
            if last_stamps(con) == clock.tables:
                con.execute("call ducklake_delete_orphaned_files('landing', cleanup_all => true)")
        except BaseException as error:
            raise storage_failure(error) from error
        finally:
            con.close()
        clocks.write(home, clock)


def last_stamps(con: "duckdb.DuckDBPyConnection") -> dict[str, int]:
    """The stamp (µs) of the newest row of each table of the attached lake; tables without rows are left out."""
    names = con.execute("select table_name from duckdb_tables() where database_name = 'landing' order by 1").fetchall()
    newest = {
        name: con.execute(f'select epoch_ns(max(_ingested_at)) // 1000 from landing.main."{name}"').fetchone()[0]
        for (name,) in names
    }
    return {name: stamp for name, stamp in newest.items() if stamp is not None}
