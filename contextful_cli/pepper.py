"""The pepper: the secret behind the digests that citations keep of their rows' keys. It never leaves this machine."""

import os
import secrets
import stat
from pathlib import Path
from typing import TYPE_CHECKING

from contextful_cli import clock as clocks
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
    fresh = home.pepper.with_name(f".pepper-{os.getpid()}")
    descriptor = os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(descriptor, "wb") as file:
        file.write(secrets.token_bytes(BYTES))
        os.fsync(file.fileno())
    _link(fresh, home.pepper)


def _link(fresh: Path, pepper: Path) -> None:
    # A link, not a rename: of two processes that race, the second must not replace the first one's secret.
    try:
        pepper.hardlink_to(fresh)
    except FileExistsError:
        pass
    finally:
        fresh.unlink()


def read(home: Home) -> bytes:
    """The secret. Refuses with LakeMissing without one, StorageFailed when others may read it."""
    try:
        mode = home.pepper.stat().st_mode
        secret = home.pepper.read_bytes()
    except FileNotFoundError:
        raise ContextfulError("LakeMissing", "the pepper is missing; run `contextful init`, or restore it") from None
    if mode & (stat.S_IRWXG | stat.S_IRWXO):
        raise ContextfulError("StorageFailed", f"{home.pepper} is open to others; run `chmod 600 {home.pepper}`")
    return secret


def set_variables(con: "duckdb.DuckDBPyConnection", home: Home) -> None:
    """Give a session the two padded keys of HMAC-SHA256 (RFC 2104) as variables, bound, never in a statement's text."""
    key = read(home).ljust(BLOCK, b"\0")
    con.execute("set variable pepper_inner = ?::blob", [bytes(byte ^ 0x36 for byte in key)])
    con.execute("set variable pepper_outer = ?::blob", [bytes(byte ^ 0x5C for byte in key)])
