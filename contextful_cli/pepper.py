"""The pepper: the secret behind the digests that citations keep of their rows' keys. It never leaves this machine."""

import secrets
from typing import TYPE_CHECKING

from contextful_cli import clock as clocks
from contextful_cli import private
from contextful_cli.errors import ContextfulError
from contextful_cli.settings import Home

if TYPE_CHECKING:
    from collections.abc import Iterable

    import duckdb

    from contextful_cli.tables import Table

BYTES = 32
BLOCK = 64  # of SHA-256, to which RFC 2104 pads the key


def ensure(home: Home, tables: "Iterable[Table]", *, renew: bool = False) -> None:
    """Make the secret where there is none, readable to its owner alone; safe to race.

    Refuses with StorageFailed where claims were written under one that is gone, unless `renew` gives their digests up.
    """
    if home.pepper.exists():
        return
    written = clocks.read(home).tables
    if not renew and any(table.is_claims and table.name in written for table in tables):
        message = (
            f"{home.pepper} is gone, and stored citations have digests made with it: restore it from a backup; if it "
            "is lost for good, `contextful init --new-pepper` makes another, and those digests resolve no more"
        )
        raise ContextfulError("StorageFailed", message)
    private.write(home.pepper, secrets.token_bytes(BYTES), replace=False)


def rotate(home: Home) -> None:
    """Put another secret in place; digests made with the old one resolve no more."""
    read(home)
    private.write(home.pepper, secrets.token_bytes(BYTES), replace=True)


def read(home: Home) -> bytes:
    """The secret. Refuses with LakeMissing without one, StorageFailed when others may read it."""
    try:
        return private.read(home.pepper)
    except FileNotFoundError:
        raise ContextfulError("LakeMissing", "the pepper is missing; run `contextful init`, or restore it") from None


def set_variables(con: "duckdb.DuckDBPyConnection", home: Home) -> None:
    """Give a session the two padded keys of HMAC-SHA256 (RFC 2104) as variables, bound, never in a statement's text."""
    key = read(home).ljust(BLOCK, b"\0")
    con.execute("set variable pepper_inner = ?::blob", [bytes(byte ^ 0x36 for byte in key)])
    con.execute("set variable pepper_outer = ?::blob", [bytes(byte ^ 0x5C for byte in key)])
