"""Files that only their owner may read: secrets, keys and credentials. Written whole or not at all, mode 0600."""

import os
import stat
from pathlib import Path

from contextful_cli.errors import ContextfulError


def write(path: Path, data: bytes, *, replace: bool) -> None:
    """Write a private file durably. replace: in place of an older one; else an older one stays, in a race too."""
    fresh = path.with_name(f".{path.name}-{os.getpid()}")
    descriptor = os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    with os.fdopen(descriptor, "wb") as file:
        os.fchmod(descriptor, 0o600)  # a leaving of a killed process may have been made under another mode
        file.write(data)
        file.flush()
        os.fsync(descriptor)
    if replace:
        fresh.replace(path)
    else:
        _link(fresh, path)


def _link(fresh: Path, path: Path) -> None:
    # A link, not a rename: of two processes that race, the second must not replace the first one's secret.
    try:
        path.hardlink_to(fresh)
    except FileExistsError:
        pass
    finally:
        fresh.unlink()


def read(path: Path) -> bytes:
    """The bytes of a private file; FileNotFoundError without one, StorageFailed when others may read it."""
    mode = path.stat().st_mode
    if mode & (stat.S_IRWXG | stat.S_IRWXO):
        raise ContextfulError("StorageFailed", f"{path} is open to others; run `chmod 600 {path}`")
    return path.read_bytes()
