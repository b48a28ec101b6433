"""Sessions for reading, kept while nothing has changed: one call on the command line, many in a server."""

from typing import TYPE_CHECKING, Any

from contextful_cli import session
from contextful_cli.errors import ContextfulError
from contextful_cli.settings import Home

if TYPE_CHECKING:
    import duckdb

    from contextful_cli.tables import Table

# A point read looks a handful of rows up in large tables. DuckDB does it by index only while the values are few enough
# to be handed to the scan; and it may guess the smaller side of a join wrong, where the statement has it right.
POINT_READS = """
set dynamic_or_filter_threshold = 16384;
set index_scan_max_count = 16384;
set disabled_optimizers = 'join_order,build_side_probe_side';
"""


class Reader:
    """Reads of one caller. A session is laid anew when the lake or the published copy has changed since."""

    def __init__(self, home: Home, tables: "list[Table]") -> None:
        self.home, self.tables = home, tables
        self.executed: list[str] = []
        self._state: object = None
        self._sessions: dict[tuple[str, ...], duckdb.DuckDBPyConnection] = {}
        self._loaded: dict[tuple[str, ...], set[str]] = {}

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

    def query(self, claims: tuple[str, ...], function: str, *arguments: Any) -> "duckdb.DuckDBPyConnection":
        """Call a table function of recall/ in a session that reaches these claims tables; returns its open result."""
        con = self.session(claims, function)
        sql = f"from recall.{function}({', '.join(f'${number}' for number in range(1, len(arguments) + 1))})"
        self.executed.append(sql)
        return con.execute(sql, arguments)

    def records(self, claims: tuple[str, ...], function: str, *arguments: Any) -> list[dict[str, Any]]:
        """As `query`, fetched: one mapping a row."""
        result = self.query(claims, function, *arguments)
        names = [column[0] for column in result.description]
        return [dict(zip(names, row, strict=True)) for row in result.fetchall()]

    def session(self, claims: tuple[str, ...], function: str) -> "duckdb.DuckDBPyConnection":
        """The session that reaches these claims tables, with a table function of recall/ loaded."""
        state = self._current_state()
        if state != self._state:
            self.close()
            self._state = state
        if claims not in self._sessions:
            self._sessions[claims] = self._open(claims)
            self._loaded[claims] = set()
        con = self._sessions[claims]
        if function not in self._loaded[claims]:
            session.load_functions(con, self.home, function)
            self._loaded[claims].add(function)
        return con

    def _open(self, claims: tuple[str, ...]) -> "duckdb.DuckDBPyConnection":
        from contextful_cli import layout, pepper

        layout.lay_tables(self.home, self.tables)  # a table declared a moment ago is an empty one
        con = session.open_session(self.home, self.tables, shaped=claims)
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
