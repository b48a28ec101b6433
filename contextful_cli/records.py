"""Rows on a terminal."""

from dataclasses import dataclass

from rich.console import Console, ConsoleOptions, RenderResult
from rich.table import Table
from rich.text import Text


@dataclass(frozen=True, slots=True)
class Records:
    """Rows of the same keys. A table where it fits into the terminal whole, else a block a row: an id that is cut short
    cannot be copied into the next command."""

    rows: list[dict[str, str]]

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        table = self._table()
        if console.measure(table, options=options.update(width=10_000)).maximum <= options.max_width:
            yield table
            return
        for row in self.rows:
            yield self._block(row)
            yield ""

    def _table(self) -> Table:
        table = Table(box=None, pad_edge=False)
        for name in self.rows[0] if self.rows else ():
            table.add_column(name, no_wrap=True)
        for row in self.rows:
            table.add_row(*(Text(value) for value in row.values()))
        return table

    def _block(self, row: dict[str, str]) -> Table:
        block = Table.grid(padding=(0, 2))
        block.add_column(no_wrap=True, style="dim")
        block.add_column(overflow="fold")
        for name, value in row.items():
            if value:
                block.add_row(name, Text(value))
        return block
