"""The project a server serves, as it is now: what changes on disk is seen without a restart."""

import time
from collections.abc import Hashable
from dataclasses import dataclass
from pathlib import Path
from threading import Lock

from contextful_cli import declaration
from contextful_cli.errors import ContextfulError
from contextful_cli.serve.errors import LOG
from contextful_cli.settings import Home
from contextful_cli.tables import Table

LOOK_SECONDS = 1.0


@dataclass(frozen=True, slots=True)
class Now:
    """tables: the declared ones. state: differs as soon as a session laid for it must not be used any more."""

    tables: list[Table]
    state: Hashable


class Project:
    """Declarations, compiled functions, pepper and published copy of a home. Safe for threads."""

    def __init__(self, home: Home) -> None:
        self.home = home
        self._lock = Lock()
        self._files: Hashable = _yaml_files(home)
        self._looked = time.monotonic()
        self._tables = declaration.load(home.project)
        self._version = 0

    def now(self) -> Now:
        """What holds for a request that begins now; declarations may be a second old."""
        with self._lock:
            if time.monotonic() - self._looked >= LOOK_SECONDS:
                self._look()
            copy = self.home.current.readlink() if self.home.current.is_symlink() else None
            return Now(self._tables, (self._version, copy, _mark(self.home.functions), _mark(self.home.pepper)))

    def _look(self) -> None:
        self._looked = time.monotonic()
        files = _yaml_files(self.home)
        if files == self._files:
            return
        self._files = files
        try:
            self._tables = declaration.load(self.home.project)
            self._version += 1
        except ContextfulError as error:  # a slip in a file being edited stops no server; `declare check` shows it
            LOG.error("the earlier declarations stay: %s: %s", error.identifier, error.message)


def _yaml_files(home: Home) -> Hashable:
    folder = home.project / "models"
    return tuple(sorted((str(file), _mark(file)) for pattern in ("*.yml", "*.yaml") for file in folder.rglob(pattern)))


def _mark(file: Path) -> tuple[int, int, int] | None:
    try:
        found = file.stat()
    except OSError:
        return None
    return found.st_ino, found.st_mtime_ns, found.st_size
