"""The lake's clock: the last stamp, the last instant minted, and how far each table goes.

It is written under the lake's lock just before a commit, so that it is never behind the lake: a reader that finds a
table's stamp at or before the published copy's leaves the lake out for that table. A crash between clock and commit
leaves it ahead, which costs a look into the lake and nothing else.
"""

import json
import os
import time
from dataclasses import asdict, dataclass, field

from contextful_cli.errors import ContextfulError
from contextful_cli.settings import LAKE_FORMAT, Home

SMALLEST_CATALOG_BYTES = 512  # one page of SQLite's smallest size


@dataclass
class Clock:
    """stamp, instant: whole µs since 1970 (UTC) of the last commit and of the last instant minted.
    tables: stamp of the last commit that touched each lake table. uncompacted: commits since the last flush.
    layout: digest of the declared columns that the lake's tables were last laid for."""

    stamp: int = 0
    instant: int = 0
    tables: dict[str, int] = field(default_factory=dict)
    uncompacted: int = 0
    layout: str = ""
    format: int = LAKE_FORMAT

    def next_stamp(self) -> int:
        """A stamp strictly after every stamp and every instant minted so far, whatever the wall clock says (µs)."""
        return max(time.time_ns() // 1000, self.stamp + 1, self.instant + 1)

    def now(self) -> int:
        """A read's now (µs): the wall clock, but never before a minted stamp or instant."""
        return max(time.time_ns() // 1000, self.stamp, self.instant)

    def dumps(self) -> str:
        return json.dumps(asdict(self), separators=(",", ":"))


def read(home: Home) -> Clock:
    """The lake's clock; refuses with LakeMissing where there is no lake, LakeVersion where it needs another release."""
    try:
        text = home.clock.read_bytes()
    except FileNotFoundError:
        raise absent(home) from None
    if not has_catalog(home):
        raise absent(home)
    return parse(text)


def has_catalog(home: Home) -> bool:
    """Whether the lake's catalog is there and not emptied, by its size."""
    # SQLite would take an emptied file for a database that has no table yet. The file is never opened here: closing it
    # would drop every POSIX lock of this process on it, and so those of SQLite in another thread's transaction.
    try:
        return home.catalog.stat().st_size >= SMALLEST_CATALOG_BYTES
    except FileNotFoundError:
        return False


def absent(home: Home) -> ContextfulError:
    """Why there is no lake to open: none was made, its clock is lost, or its catalog, without which nothing is read."""
    if has_catalog(home):
        return ContextfulError("LakeVersion", f"{home.clock} is missing; run `contextful upgrade` to restore it")
    if home.clock.exists() or home.catalog.exists() or (home.data.exists() and any(home.data.iterdir())):
        what = "is damaged" if home.catalog.exists() else "is gone"
        return ContextfulError("LakeMissing", f"{home.catalog} {what}: restore it from a backup; nothing was changed")
    return ContextfulError(
        "LakeMissing", f"there is no lake in {home.root}; run `contextful init` in the project folder"
    )


def parse(text: str | bytes) -> Clock:
    """A clock from its JSON text; damaged text refuses with the command that mends it."""
    try:
        clock = Clock(**json.loads(text))
    except (ValueError, TypeError):
        clock = None
    if clock is None or not _is_sound(clock):
        raise ContextfulError("LakeVersion", "the lake's clock is damaged; run `contextful upgrade`")
    if clock.format > LAKE_FORMAT:
        raise ContextfulError("LakeVersion", "the lake was written by a newer release; install that release to open it")
    if clock.format < LAKE_FORMAT:
        raise ContextfulError("LakeVersion", "the lake was written by an older release; run `contextful upgrade`")
    return clock


def _is_sound(clock: Clock) -> bool:
    numbers = [clock.stamp, clock.instant, clock.uncompacted, clock.format]
    if not isinstance(clock.tables, dict) or not isinstance(clock.layout, str):
        return False
    return all(type(number) is int for number in (*numbers, *clock.tables.values()))


def write(home: Home, clock: Clock) -> None:
    """Replace the clock atomically and durably; the caller holds the lake's lock."""
    fresh = home.clock.with_suffix(".new")
    with fresh.open("w") as file:
        file.write(clock.dumps())
        file.flush()
        os.fsync(file.fileno())
    fresh.replace(home.clock)
