"""The options of `token mint` and `token attenuate`, read into a block."""

import re
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING

from contextful_cli import instants
from contextful_cli.credentials import blocks
from contextful_cli.credentials.blocks import Block
from contextful_cli.credentials.rights import OPERATIONS, Rights
from contextful_cli.errors import ContextfulError

if TYPE_CHECKING:
    from collections.abc import Iterable
    from datetime import datetime

    from contextful_cli.tables import Table

_SPAN = re.compile(r"([1-9][0-9]{0,5})([smhdw])")
_SECONDS = {"s": 1, "m": 60, "h": 3600, "d": 86400, "w": 604800}
_COLUMN = re.compile(r"([^.=]+)\.([^.=]+)")
NEVER = "never"


@dataclass(frozen=True, slots=True)
class Wish:
    """What a block should say, as texts. masks: T.C; filters: T.C=V; expires_in such as 8h, or never."""

    read: tuple[str, ...] = ()
    write: tuple[str, ...] = ()
    erase: tuple[str, ...] = ()
    masks: tuple[str, ...] = ()
    filters: tuple[str, ...] = ()
    on_behalf_of: str | None = None
    agent: str | None = None
    task: str | None = None
    host: str | None = None
    expires_at: str | None = None
    expires_in: str | None = None
    audience: str | None = None


def block(wish: Wish) -> Block:
    """The block that says it. Refuses with ArgumentMalformed or InstantMalformed."""
    operations = {
        (_text(f"--{operation}", table), operation) for operation in OPERATIONS for table in getattr(wish, operation)
    }
    given = {name: getattr(wish, name) for name in blocks.MEMBERS if getattr(wish, name) is not None}
    members = {name: _text(f"--{name.replace('_', '-')}", value) for name, value in given.items()}
    return Block(
        rights=Rights(frozenset(operations) or None, _masks(wish.masks), _filters(wish.filters)),
        **members,
        expires_at=_expiry(wish),
        audience=None if wish.audience is None else _text("--audience", wish.audience),
    )


def _text(option: str, value: str) -> str:
    try:
        value.encode()
    except UnicodeEncodeError:
        raise ContextfulError("ArgumentMalformed", f"{option} is no valid Unicode text") from None
    if not value.strip() or "\0" in value:
        raise ContextfulError("ArgumentMalformed", f"{option} is blank or holds NUL")
    return value


def _masks(masks: "Iterable[str]") -> frozenset[tuple[str, str]]:
    return frozenset(_column("--mask", text) for text in masks)


def _column(option: str, text: str) -> tuple[str, str]:
    match = _COLUMN.fullmatch(text)
    if match is None:
        raise ContextfulError("ArgumentMalformed", f"{option} takes TABLE.COLUMN; got `{text}`")
    return _text(option, match[1]), _text(option, match[2])


def _filters(filters: "Iterable[str]") -> frozenset[tuple[str, str, frozenset[str]]]:
    """Several values of one column are alternatives."""
    values: dict[tuple[str, str], set[str]] = {}
    for text in filters:
        name, equals, value = text.partition("=")
        if not equals or "\0" in value:
            raise ContextfulError("ArgumentMalformed", f"--filter takes TABLE.COLUMN=VALUE; got `{text}`")
        values.setdefault(_column("--filter", name), set()).add(value)
    return frozenset((*name, frozenset(one)) for name, one in values.items())


def _expiry(wish: Wish) -> "datetime | None":
    if wish.expires_at is not None and wish.expires_in is not None:
        raise ContextfulError("ArgumentMalformed", "give either --expires-at or --expires-in")
    if wish.expires_at is not None:
        at = instants.stored("--expires-at", wish.expires_at)
        if at < 0:
            raise ContextfulError("ArgumentMalformed", "--expires-at lies before 1970")
        return blocks.from_us(at)
    if wish.expires_in in (None, NEVER):
        return None
    match = _SPAN.fullmatch(wish.expires_in)
    if match is None:
        raise ContextfulError("ArgumentMalformed", "--expires-in takes a span such as 30m, 8h or 90d, or `never`")
    return blocks.from_us((int(time.time()) + int(match[1]) * _SECONDS[match[2]]) * 1_000_000)


def refuse_ungranted(asked: Block, had: Rights) -> None:
    """Refuses to narrow what a token does not cover: a mask or filter under a slip of the pen would leave all open."""
    named = {table for table, _ in asked.rights.operations or ()} | {table for table, *_ in asked.rights.filters}
    for table in sorted(named | {table for table, _ in asked.rights.masks}):
        if not any(had.may(operation, table) for operation in OPERATIONS):
            raise ContextfulError(
                "ArgumentMalformed", f"the token has no right to {table}; `token inspect` shows its own"
            )


def refuse_undeclared(asked: Block, tables: "list[Table]") -> None:
    """Refuses a right, mask or filter of a table or column that nobody declared: a slip of the pen, of no effect."""
    columns = {table.name: table.columns for table in tables}
    named = {table for table, _ in asked.rights.operations or ()}
    pairs = {*asked.rights.masks, *((table, column) for table, column, _ in asked.rights.filters)}
    for table in sorted(named | {table for table, _ in pairs}):
        if table not in columns:
            raise ContextfulError("ArgumentMalformed", f"no table {table} is declared; see `contextful declare list`")
    for table, column in sorted(pairs):
        if column not in columns[table]:
            raise ContextfulError("ArgumentMalformed", f"{table} has no column {column}")
