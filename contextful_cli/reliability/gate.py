"""`--fail-over`: an exit code for schedulers."""

import sys
from typing import Any

import typer

from contextful_cli.errors import ContextfulError


def check(fail_over: float | None, *, as_json: bool, as_csv: bool) -> None:
    """Refuse a threshold that is no calibration error, and two formats at once."""
    if as_json and as_csv:
        raise ContextfulError("ArgumentMalformed", "give one of --json and --csv")
    if fail_over is not None and not 0 <= fail_over <= 1:  # NaN compares with nothing
        raise ContextfulError("ArgumentMalformed", f"--fail-over is {fail_over}; a calibration error is in [0, 1]")


def leave(fail_over: float | None, worst: tuple[float, dict[str, Any]] | None) -> None:
    """Exit 1 where the worst group is above the threshold; why stands on stderr."""
    if fail_over is None:
        return
    if worst is None:
        print("no group has 30 samples: there is nothing to fail over", file=sys.stderr)
        return
    error, group = worst
    if error > fail_over:
        mapped = ", mapped" if group["is_validated"] else ""
        print(f"{group['predicate']}: calibration error {error}{mapped} is over {fail_over}", file=sys.stderr)
        raise typer.Exit(1)
