"""Calling dbt. A subprocess each time: in-process, dbt keeps the warehouse file locked after it returns."""

import json
import os
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from contextful_cli import lake, locks, session
from contextful_cli.errors import ContextfulError
from contextful_cli.settings import Home

BUILD_PATIENCE_SECONDS = 0.0
FUNCTIONS = ("--select", "config.materialized:table_function")


@dataclass(frozen=True)
class Result:
    """One node of a build: its unique id, status (success, pass, error, fail, skipped …), message and seconds."""

    node: str
    status: str
    message: str
    seconds: float


def build(home: Home, selectors: Sequence[str] = (), *, compact: bool = True) -> list[Result]:
    """Compact the lake, build the models, publish. Refuses with BuildBusy while another build runs, BuildFailed when
    a model or test fails; the copy published before stays current then.
    """
    with locks.hold(home.root / "build.lock", "build", busy="BuildBusy", patience=BUILD_PATIENCE_SECONDS):
        if compact:
            lake.compact(home)
        finished = _dbt(home, ["build", *selectors])
        results = _results(home) if finished.returncode in (0, 1) else []
        if finished.returncode != 0:
            raise _failure(finished, results)
        if selectors and all(result.node.startswith("operation.") for result in results):
            raise ContextfulError("ArgumentMalformed", f"no model, seed or test matches {' '.join(selectors)}")
        return results


def is_compilation_due(home: Home) -> bool:
    """Whether the SQL functions were never compiled, or a model or macro is newer than they are."""
    if not session.compiled_functions(home):
        return True
    compiled = home.functions.stat().st_mtime
    sources = (file for name in ("models", "macros") for file in (home.project / name).rglob("*.sql"))
    return any(file.stat().st_mtime > compiled for file in sources)


def select(models: Sequence[str]) -> list[str]:
    """dbt's selector arguments for models and all they rest on."""
    return ["--select", *(f"+{model}" for model in models)]


def _dbt(home: Home, arguments: Sequence[str]) -> subprocess.CompletedProcess[str]:
    command = [
        sys.executable,
        "-W",
        "ignore::RuntimeWarning:runpy",
        "-m",
        "dbt.cli.main",
        "--quiet",
        "--no-use-colors",
        *arguments,
    ]
    command += ["--profiles-dir", str(home.project / "profiles"), "--project-dir", str(home.project)]
    environment = os.environ | {
        "CONTEXTFUL_HOME": str(home.root),
        "DBT_PROJECT_DIR": str(home.project),
        "DBT_TARGET_PATH": str(_target(home)),
        "DBT_LOG_PATH": str(home.root / "dbt" / "logs"),
    }
    return subprocess.run(command, env=environment, cwd=home.project, text=True, capture_output=True, check=False)


def _target(home: Home) -> Path:
    # In the state folder, not the project's target/: two homes of one project then never mix their results.
    return home.root / "dbt" / "target"


def _results(home: Home) -> list[Result]:
    try:
        document = json.loads((_target(home) / "run_results.json").read_text())
    except (OSError, ValueError):
        return []
    return [
        Result(entry["unique_id"], entry["status"], entry.get("message") or "", entry["execution_time"])
        for entry in document["results"]
    ]


def _failure(finished: subprocess.CompletedProcess[str], results: list[Result]) -> ContextfulError:
    output = finished.stdout + finished.stderr
    if "Could not set lock on file" in output:
        return ContextfulError("BuildBusy", f"another build has the warehouse open: {_line_with(output, 'lock')}")
    broken = [result for result in results if result.status in ("error", "fail", "runtime error")]
    if broken:
        told = "; ".join(f"{one.node}: {' '.join(one.message.split())}" for one in broken[:5])
        return ContextfulError("BuildFailed", f"{len(broken)} of {len(results)} nodes failed: {told}")
    for identifier in ("MemoryShapeColumnMissing", "DeclarationMalformed", "LakeBusy", "LakeVersion", "StorageFailed"):
        if f"{identifier}: " in output:
            return ContextfulError(identifier, _line_with(output, identifier).split(f"{identifier}: ", 1)[1])
    return ContextfulError("BuildFailed", " ".join(output.split())[-1500:] or "dbt failed without a word")


def _line_with(output: str, word: str) -> str:
    return next((line.strip() for line in output.splitlines() if word in line), "")
