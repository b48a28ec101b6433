"""Sessions for reading, kept while nothing has changed: one call on the command line, many in a server."""

from typing import TYPE_CHECKING, Any

from contextful_cli import declaration, duck, quiet, session
from contextful_cli.errors import ContextfulError

if TYPE_CHECKING:
    import duckdb

    from contextful_cli.caller import Caller
    from contextful_cli.tables import Table

# A point read looks a handful of rows up in large tables. DuckDB does it by index only while the values are few enough
# to be handed to the scan; and it may guess the smaller side of a join wrong, where the statement has it right.
POINT_READS = """
set dynamic_or_filter_threshold = 16384;
set index_scan_max_count = 16384;
set disabled_optimizers = 'join_order,build_side_probe_side';
"""
# Where recall_claims takes its bounds on commits and on available time.
AS_OF = 3


class Reader:
    """Reads of one caller. A session is laid anew when the lake or the published copy has changed since.

    tables: what the caller may read; there are no others. One thread at a time.
    """

    def __init__(self, caller: "Caller") -> None:
        self.caller, self.home, self.tables = caller, caller.home, caller.readable
        self.executed: list[str] = []
        self._state: object = None
        self._sessions: dict[tuple[str, ...], duckdb.DuckDBPyConnection] = {}
        self._loaded: dict[tuple[str, ...], set[str]] = {}
        self._fitted: dict[tuple[str, ...], tuple[str | None, ...]] = {}

    def __enter__(self) -> "Reader":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close every session; the next read lays its own."""
        for con in self._sessions.values():
            con.close()
        self._sessions.clear()
        self._loaded.clear()
        self._fitted.clear()

    def records(self, shaped: tuple[str, ...], function: str, *arguments: Any) -> list[dict[str, Any]]:
        """Call a table function of recall/ in a session that reaches these shaped tables: one mapping a row."""
        with quiet.reading(self.home):
            return duck.records(self._call(self.session(shaped, function), f"recall.{function}", arguments))

    def calibrated_records(self, table: "Table", function: str, *arguments: Any) -> list[dict[str, Any]]:
        """As `records`, of a claims table with labels: under the maps fitted on what the arguments' bounds admit.

        arguments: those of recall_claims. Maps stand in ``session.fitted_maps`` until bounds or stored rows change.
        """
        outcomes = declaration.find(self.tables, table.labels or "")
        shaped = tuple(name for name in (table.name, table.labels, outcomes and outcomes.predictions) if name)
        with quiet.reading(self.home):
            con = self.session(shaped, function, "fitted_maps")
            bounds = (table.name, *arguments[AS_OF : AS_OF + 2])
            if self._fitted.get(shaped) != bounds:
                con.execute("delete from session.fitted_maps")
                con.execute("insert into session.fitted_maps by name from calibrate.fitted_maps($1, $2, $3)", bounds)
                self._fitted[shaped] = bounds
            return duck.records(self._call(con, f"recall.{function}", arguments))

    def _call(self, con: "duckdb.DuckDBPyConnection", function: str, arguments: tuple) -> "duckdb.DuckDBPyConnection":
        sql = f"from {function}({', '.join(f'${number}' for number in range(1, len(arguments) + 1))})"
        self.executed.append(sql)
        return con.execute(sql, arguments)

    def session(self, shaped: tuple[str, ...], *functions: str) -> "duckdb.DuckDBPyConnection":
        """The session that reaches these shaped tables, with these table functions loaded."""
        state = self._current_state()
        if state != self._state:
            self.close()
            self._state = state
        if shaped not in self._sessions:
            self._sessions[shaped] = self._open(shaped)
            self._loaded[shaped] = set()
        con = self._sessions[shaped]
        if missing := [name for name in functions if name not in self._loaded[shaped]]:
            session.load_functions(con, self.home, *missing)
            self._loaded[shaped].update(missing)
        return con

    def _open(self, shaped: tuple[str, ...]) -> "duckdb.DuckDBPyConnection":
        from contextful_cli import layout, pepper

        layout.lay_tables(self.home, self.caller.tables)  # a table declared a moment ago is an empty one
        con = session.open_session(self.caller, shaped=shaped)
        con.execute(POINT_READS)
        if self.home.pepper.exists():  # without one no digest was ever stored
            pepper.set_variables(con, self.home)
        return con

    def _current_state(self) -> object:
        """What a session was laid for: the lake's clock, and the copy that is current."""
        try:
            clock = self.home.clock.read_bytes()
        except FileNotFoundError:
            clock = None
        return clock, self.home.current.readlink() if self.home.current.is_symlink() else None


def checked_text(name: str, value: str) -> str:
    """A text to filter by, as given. Refuses NUL, which breaks DuckLake's pruning, and lone surrogates."""
    if "\0" in value:
        raise ContextfulError("ArgumentMalformed", f"{name} holds NUL, which no stored text does")
    try:
        value.encode()
    except UnicodeEncodeError:
        raise ContextfulError("ArgumentMalformed", f"{name} is no valid Unicode text") from None
    return value
