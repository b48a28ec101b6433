"""Where things are: the project folder and the state folder, decided once per process."""

import os
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from contextful_cli.errors import ContextfulError

LAKE_FORMAT = 1  # raised when a lake of an older release can no longer be read as it is


@dataclass(frozen=True)
class Home:
    """The state folder (``$CONTEXTFUL_HOME``, default ``.contextful`` in the project) and the files in it."""

    project: Path
    root: Path

    @classmethod
    def locate(cls, project_dir: str | Path | None = None) -> "Home":
        """The home of a project folder; a relative ``$CONTEXTFUL_HOME`` counts from that folder, as in dbt."""
        project = Path(project_dir or os.environ.get("DBT_PROJECT_DIR") or ".").resolve()
        if not (project / "macros" / "session").is_dir():
            message = f"{project} is no contextful project; go to its folder, or name it with --project-dir"
            raise ContextfulError("ArgumentMalformed", message)
        return cls(project=project, root=project / os.environ.get("CONTEXTFUL_HOME", ".contextful"))

    @cached_property
    def lake(self) -> Path:
        return self.root / "lake"

    @cached_property
    def catalog(self) -> Path:
        return self.lake / "catalog.sqlite"

    @cached_property
    def data(self) -> Path:
        return self.lake / "data"

    @cached_property
    def clock(self) -> Path:
        return self.lake / "clock.json"

    @cached_property
    def warehouse(self) -> Path:
        return self.root / "warehouse.duckdb"

    @cached_property
    def published(self) -> Path:
        return self.root / "published"

    @cached_property
    def current(self) -> Path:
        return self.published / "current.duckdb"

    @cached_property
    def functions(self) -> Path:
        return self.root / "functions.json"

    @cached_property
    def secrets(self) -> Path:
        return self.root / "secrets"

    @cached_property
    def pepper(self) -> Path:
        return self.secrets / "pepper"

    @cached_property
    def root_keys(self) -> Path:
        return self.secrets / "roots.json"

    @cached_property
    def operator_token(self) -> Path:
        return self.secrets / "operator.token"

    @cached_property
    def revoked(self) -> Path:
        return self.secrets / "revoked"

    @cached_property
    def audit(self) -> Path:
        return self.root / "audit"
