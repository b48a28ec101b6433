"""A throw-away project and home for benchmarks and soaks: the repository's SQL, the test project's declarations."""

import json
import os
import shutil
import subprocess
import sys
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from contextful_cli import declaration
from contextful_cli.caller import Caller, local_operator
from contextful_cli.settings import Home
from contextful_cli.tables import Table

REPOSITORY = Path(__file__).parents[1]
SHARED_FOLDERS = (
    "macros",
    "profiles",
    "tests/data/generic",
    *(f"models/{name}" for name in ("recall", "revise", "settle", "settlement", "calibrate")),
)


@dataclass(frozen=True)
class Workshop:
    """folder: holds the project; its home is `home` below it."""

    folder: Path

    @cached_property
    def environment(self) -> dict[str, str]:
        return os.environ | {
            "CONTEXTFUL_HOME": str(self.folder / "home"),
            "DBT_PROJECT_DIR": str(self.folder / "project"),
        }

    @cached_property
    def home(self) -> Home:
        """The home, for measuring in this process."""
        return Home(project=self.folder / "project", root=self.folder / "home")

    @cached_property
    def caller(self) -> Caller:
        """The operator."""
        return local_operator(self.home, self.tables)

    @cached_property
    def tables(self) -> list[Table]:
        return declaration.load(self.folder / "project")

    def command(self, *arguments: str) -> list[str]:
        return [sys.executable, "-m", "contextful_cli.app", *arguments]

    def run(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        """One command in a process of its own."""
        return subprocess.run(
            self.command(*arguments), env=self.environment, text=True, capture_output=True, check=False
        )

    def land_events(self, rows: int) -> None:
        """Source rows 0 … rows - 1 under the run `seed`."""
        file = self.folder / "events.jsonl"
        file.write_text("".join(json.dumps({"id": number, "note": "seed"}) + "\n" for number in range(rows)))
        said = self.run("land", "--table", "events", "--from", str(file), "--run-id", "seed")
        if said.returncode != 0:
            raise SystemExit(said.stderr)


def lay(folder: Path) -> Workshop:
    """A project with compiled functions and an empty home in an empty folder."""
    project = folder / "project"
    shutil.copytree(REPOSITORY / "tests/python/project", project)
    for name in SHARED_FOLDERS:
        shutil.copytree(REPOSITORY / name, project / name)
    shutil.copy(REPOSITORY / "dbt_project.yml", project)
    shop = Workshop(folder)
    said = shop.run("init")
    if said.returncode != 0:
        raise SystemExit(said.stderr)
    return shop
