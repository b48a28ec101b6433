"""What a credential may do. Tokens are read into this once; sessions are laid from it."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from contextful_cli.shapes import ENGINE_COLUMNS

if TYPE_CHECKING:
    from contextful_cli.tables import Table

OPERATIONS = ("read", "write", "erase")
LINE = {"subject", "predicate", "scope"}

# (table, column, the values it may have, as texts)
Filter = tuple[str, str, frozenset[str]]


@dataclass(frozen=True, slots=True)
class Rights:
    """operations: (table, operation) pairs, None for every one. masks: (table, column) pairs that read as null.
    filters: a row is visible where every filter of its table holds. is_operator: may also do what is about no table.
    """

    operations: frozenset[tuple[str, str]] | None = frozenset()
    masks: frozenset[tuple[str, str]] = frozenset()
    filters: frozenset[Filter] = frozenset()
    is_operator: bool = False

    def may(self, operation: str, table: str) -> bool:
        """Whether that operation on that table is granted."""
        return self.operations is None or (table, operation) in self.operations

    def readable(self, tables: "Iterable[Table]") -> "list[Table]":
        """The tables that may be read; to a session there are no others.

        One with a mask of a column that it does not have is not among them: the mask was for another, perhaps renamed.
        """
        return [one for one in tables if self.may("read", one.name) and None not in self.masked_columns(one)]

    def masked_columns(self, table: "Table") -> set[str | None]:
        """The declared names of a table's masked columns; None for a mask of no column of its."""
        return {column_of(table, name) for name in self.masks_of(table.name)}

    def masks_of(self, table: str) -> frozenset[str]:
        """The columns of a table that read as null."""
        return frozenset(column for name, column in self.masks if name == table)

    def filters_of(self, table: str) -> list[tuple[str, frozenset[str]]]:
        """(column, values) of every filter of a table, in one order for equal rights."""
        found = [(column, values) for name, column, values in self.filters if name == table]
        return sorted(found, key=lambda one: (one[0], sorted(one[1])))

    def sees_whole(self, table: str) -> bool:
        """Whether the table is read without a mask or a filter."""
        return self.may("read", table) and not self.masks_of(table) and not self.filters_of(table)

    def sees_whole_lines(self, table: str) -> bool:
        """Whether the claims of a line (subject, predicate, scope) are all visible or all hidden, and none is masked.

        Then a write, which is decided against all claims of its line, tells its caller of no hidden one.
        """
        columns = {column.casefold() for column, _ in self.filters_of(table)}
        return self.may("read", table) and not self.masks_of(table) and columns <= LINE

    def narrowed(self, other: "Rights") -> "Rights":
        """What both allow: the meaning of a block appended to a token. It gives nothing that self does not."""
        if other.operations is None:
            operations = self.operations
        elif self.operations is None:
            operations = other.operations
        else:
            operations = self.operations & other.operations
        masks, filters = self.masks | other.masks, self.filters | other.filters
        return Rights(operations, masks, filters, self.is_operator and other == Rights(None))


def column_of(table: "Table", name: str) -> str | None:
    """The column that a token means by a name, None where the table has none: case does not tell columns apart."""
    columns = {column.casefold(): column for column in (*table.columns, *ENGINE_COLUMNS)}
    return columns.get(name.casefold())


OPERATOR = Rights(operations=None, is_operator=True)
