"""Revoked tokens: one revocation id a line, in a file that every authentication looks at."""

import os
import re
from functools import lru_cache
from typing import TYPE_CHECKING

from contextful_cli import private
from contextful_cli.errors import ContextfulError

if TYPE_CHECKING:
    from contextful_cli.settings import Home

REVOCATION_ID = re.compile(r"[0-9a-f]{128}")


def ensure(home: "Home") -> None:
    """Make the list, empty, where there is none: without it nobody can tell what was revoked."""
    if not home.revoked.exists():
        private.write(home.revoked, b"", replace=False)


def revoke(home: "Home", revocation_id: str) -> bool:
    """Revoke every token whose chain holds that id; returns whether it was not revoked before."""
    if not REVOCATION_ID.fullmatch(revocation_id):
        message = "a revocation id is 128 hex digits; `contextful token inspect` shows a token's"
        raise ContextfulError("ArgumentMalformed", message)
    if revocation_id in revoked(home):
        return False
    descriptor = os.open(home.revoked, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
    with os.fdopen(descriptor, "ab") as file:
        file.write(f"{revocation_id}\n".encode())  # one write: of two at once neither cuts the other's line
        file.flush()
        os.fsync(descriptor)
    return True


def revoked(home: "Home") -> frozenset[str]:
    """The revoked ids. A lost or damaged file refuses: who cannot tell what is revoked takes no token."""
    try:
        return _parsed(private.read(home.revoked), str(home.revoked))
    except FileNotFoundError:
        message = f"{home.revoked} is gone: restore it from a backup; `contextful init` makes an empty one, by which "
        raise ContextfulError("StorageFailed", f"{message}every revoked token counts again") from None


@lru_cache(maxsize=4)
def _parsed(text: bytes, file: str) -> frozenset[str]:
    lines = text.decode("utf-8", "replace").splitlines()
    if not all(REVOCATION_ID.fullmatch(line) for line in lines):
        raise ContextfulError("StorageFailed", f"{file} is damaged; restore it, or remove the lines that are no id")
    return frozenset(lines)
