"""Who asks, of which project: what every read and write is done as."""

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from contextful_cli import declaration
from contextful_cli.credentials import authenticate
from contextful_cli.credentials.credential import Credential
from contextful_cli.credentials.rights import OPERATOR, Rights
from contextful_cli.errors import ContextfulError
from contextful_cli.settings import Home

if TYPE_CHECKING:
    from collections.abc import Callable

    from contextful_cli.tables import Table


@dataclass(frozen=True)
class Caller:
    """A credential in a home. tables: all declared ones, whatever it may do with them."""

    home: Home
    tables: "list[Table]"
    credential: Credential

    @property
    def rights(self) -> Rights:
        return self.credential.rights

    @cached_property
    def readable(self) -> "list[Table]":
        """The tables it may read. Reads look nowhere else, so that an ungranted table and an unknown one are alike."""
        return self.rights.readable(self.tables)

    def covered(self, name: str, *operations: str) -> "Table":
        """The table of that exact name, all these operations granted; else GrantWriteNotCovered, known or not."""
        table = declaration.find(self.tables, name)
        if table is None or not all(self.rights.may(operation, name) for operation in operations):
            # The operator lacks no right: it is the table that is not there.
            remedy = "`contextful declare list` shows tables" if self.rights.is_operator else "ask for a token with it"
            message = f"no right to {' and '.join(operations)} {name}; {remedy}"
            raise ContextfulError("GrantWriteNotCovered", message)
        return table

    def claims_to_write(self, name: str) -> "Table":
        """As `covered` to read and write, where the rights let claims be decided on. The shape is not checked."""
        return self._seen(self.covered(name, "read", "write"), self.rights.sees_whole_lines)

    def records_to_write(self, name: str) -> "Table":
        """As `covered` to read and write, where every row that a write is compared with is visible."""
        return self._seen(self.covered(name, "read", "write"), self.rights.sees_whole)

    def _seen(self, table: "Table", is_enough: "Callable[[str], bool]") -> "Table":
        if not is_enough(table.name):
            message = f"{table.name} is covered in part only, and a write is decided against the rest too"
            raise ContextfulError("GrantWriteNotCovered", message)
        return table

    def side_table_of(self, name: str, *operations: str) -> "Table | None":
        """The claims table, all these operations granted, that keeps a lake table of that name beside it."""
        return next(
            (
                one
                for one in self.tables
                if name in list(one.lake_tables())[1:] and all(self.rights.may(it, one.name) for it in operations)
            ),
            None,
        )


def current() -> Caller:
    """The caller of a command: the project at hand, its declarations, and the credential of this process."""
    home = Home.locate()
    return Caller(home, declaration.load(home.project), authenticate.current(home))


def operator(command: str) -> Caller:
    """As `current`, for a command of the operator's; any other credential refuses with RequestRefused."""
    authenticate.operator_home(command)
    return current()


def local_operator(home: Home, tables: "list[Table]") -> Caller:
    """Everything visible and writable, without a token: for dbt, and for what checks the store as a whole."""
    return Caller(home, tables, Credential(OPERATOR, chain=("local",), on_behalf_of="operator"))
