"""What the Python tests share: a test project with a table of every shape, compiled once; a fresh home a test."""

import json
import os
import shutil
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import hypothesis
import pytest
from filelock import FileLock
from hypothesis import Phase

from contextful_cli import app, declaration, lake, layout, pepper, warehouse
from contextful_cli.caller import Caller, local_operator
from contextful_cli.credentials import tokens
from contextful_cli.settings import Home
from contextful_cli.tables import Table

# A shared machine pauses at times: how long one example takes says nothing here.
hypothesis.settings.register_profile("shared-machine", deadline=None)
# `make mutate` asks whether a test fails, not for the smallest example.
hypothesis.settings.register_profile("unshrunk", deadline=None, phases=[Phase.explicit, Phase.generate])
hypothesis.settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "shared-machine"))

REPOSITORY = Path(__file__).parents[2]
SHARED_FOLDERS = (
    "macros",
    "profiles",
    "tests/data/generic",
    *(f"models/{name}" for name in ("recall", "revise", "settle", "settlement", "calibrate")),
)


@dataclass(frozen=True)
class Ran:
    """What a command gave: exit code, stdout, stderr."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        return json.loads(self.out)


def lay_project(folder: Path) -> Path:
    """A project folder with the repository's macros and functions, and the test project's declarations."""
    shutil.copytree(REPOSITORY / "tests/python/project", folder, dirs_exist_ok=True)
    for name in SHARED_FOLDERS:
        shutil.copytree(REPOSITORY / name, folder / name)  # dbt does not follow a link to a folder of models
    shutil.copy(REPOSITORY / "dbt_project.yml", folder)
    return folder


@pytest.fixture(scope="session")
def compiled(tmp_path_factory: pytest.TempPathFactory) -> Home:
    """A home with an empty lake of the test project and its compiled functions; one dbt run for all workers."""
    base = tmp_path_factory.getbasetemp()
    shared = base.parent if "PYTEST_XDIST_WORKER" in os.environ else base
    project = shared / "project"
    home = Home(project=project, root=shared / "compiled")
    with FileLock(shared / "compiled.lock"):
        if not home.functions.exists():
            lay_project(project)
            lake.create(home)
            layout.lay_tables(home, declaration.load(project))
            pepper.ensure(home, declaration.load(project))
            tokens.ensure(home)
            warehouse.build(home, warehouse.FUNCTIONS)
    return home


@pytest.fixture
def home(compiled: Home, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Home:
    """A fresh home of the test project: empty lake, compiled functions, nothing published."""
    fresh = Home(project=compiled.project, root=tmp_path / "home")
    skipped = shutil.ignore_patterns("published", "dbt", "sessions", "warehouse.duckdb*")
    shutil.copytree(compiled.root, fresh.root, ignore=skipped)
    fresh.published.mkdir()
    monkeypatch.setenv("CONTEXTFUL_HOME", str(fresh.root))
    monkeypatch.setenv("DBT_PROJECT_DIR", str(fresh.project))
    return fresh


@pytest.fixture
def tables(home: Home) -> list[Table]:
    """The test project's declared tables."""
    return declaration.load(home.project)


@pytest.fixture
def caller(home: Home, tables: list[Table]) -> Caller:
    """The operator on the fresh home, without a token: rows say `local`."""
    return local_operator(home, tables)


@pytest.fixture
def cli(home: Home, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Callable[..., Ran]:
    """Runs one command in this process on the fresh home: ``cli("memory", "recall", "--table", "facts", …)``."""

    def run(*arguments: str) -> Ran:
        monkeypatch.setattr(sys, "argv", ["contextful", *arguments])
        capsys.readouterr()
        code = 0
        try:
            app.main()
        except SystemExit as stopped:
            code = int(stopped.code or 0)
        captured = capsys.readouterr()
        return Ran(code, captured.out, captured.err)

    return run
