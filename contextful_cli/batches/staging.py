"""The `pending` schema of a writer's session: the tables in which a write's lines stand until they are decided."""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import duckdb

WRITES_BEFORE_FRESH = 512  # a truncated table keeps the ghosts of its rows; a fresh one has none


class Staging:
    """Runs the steps of a write, each of which fills one table from a query.

    On a connection of its own, step by step: a transaction writes to one database, and that of the write is the lake's.
    A single line's steps are prepared once, for planning takes most of their time; a batch's are planned each time, for
    their plans depend on how much there is. A query's text is the same each time: what differs stands in tables.
    """

    def __init__(self, con: "duckdb.DuckDBPyConnection") -> None:
        self.con = con.cursor()
        self.con.execute("set TimeZone = 'UTC'; use warehouse")
        self._prepared: dict[tuple[str, str], str] = {}
        self._writes = 0

    def close(self) -> None:
        self.con.close()

    def freshen(self) -> None:
        """Before another write: now and then on fresh tables."""
        self._writes += 1
        if self._writes % WRITES_BEFORE_FRESH:
            return
        for name in self._prepared.values():
            self.con.execute(f"deallocate {name}")
        self._prepared.clear()
        for (table,) in self.rows(
            "select table_name from duckdb_tables() where schema_name = 'pending' and table_name <> 'tail'"
        ):
            self.lay(table, f"from pending.{table} limit 0")

    def plan(self, *, is_kept: bool) -> None:
        """How to plan what follows: a plan that is kept must not rest on what the tables hold now."""
        # One row is done before a second thread has woken.
        self.con.execute("set threads = 1" if is_kept else "reset threads")
        without = "statistics_propagation,compressed_materialization" if is_kept else ""
        self.con.execute(f"set disabled_optimizers = '{without}'")

    def lay(self, table: str, query: str, parameters: list[Any] | None = None) -> None:
        """Make a table, or make it anew, of a query's rows."""
        self.con.execute(f"create or replace table pending.{table} as {query}", parameters)

    def drop(self, table: str) -> None:
        """Drop a table that `lay` made."""
        self.con.execute(f"drop table pending.{table}")

    def fill(self, table: str, query: str, parameters: list[Any] | None = None, *, prepared: bool = False) -> None:
        """Replace a table's rows by a query's."""
        self.con.execute(f"truncate pending.{table}")
        self.add(table, query, parameters, prepared=prepared)

    def add(self, table: str, query: str, parameters: list[Any] | None = None, *, prepared: bool = False) -> None:
        """Add a query's rows to a table, column by name."""
        statement = f"insert into pending.{table} by name {query}"
        if not prepared:
            self.con.execute(statement, parameters)
            return
        name = self._prepared.get((table, query))
        if name is None:
            name = f"step_{len(self._prepared)}"
            self.con.execute(f"prepare {name} as {statement}")
            self._prepared[table, query] = name
        self.con.execute(f"execute {name}")

    def clear(self, *tables: str) -> None:
        """Empty some tables."""
        self.con.execute("; ".join(f"truncate pending.{table}" for table in tables))

    def rows(self, query: str, parameters: list[Any] | None = None) -> list[tuple[Any, ...]]:
        """A query's rows."""
        return self.con.execute(query, parameters).fetchall()

    def value(self, query: str) -> Any:
        """The one value of a query."""
        return self.rows(query)[0][0]

    def settle(self) -> None:
        """Take what is decided from what is undecided."""
        self.con.execute("delete from pending.undecided where line_number in (select line_number from pending.decided)")
