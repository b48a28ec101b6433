"""`contextful doctor`: what is wrong, and what to do about it."""

from typing import Annotated

import typer


def doctor_verb(as_json: Annotated[bool, typer.Option("--json", help="Print one JSON line.")] = False) -> None:
    """Check declarations, lake, files, published copy, functions, secrets and read ledger; exit 1 if anything is wrong.

    Example: contextful doctor
    """
    from dataclasses import asdict

    from contextful_cli import doctor, output
    from contextful_cli.settings import Home

    findings = doctor.examine(Home.locate())
    healthy = all(finding.problem is None for finding in findings)
    payload = {"healthy": healthy, "findings": [asdict(finding) for finding in findings]}
    output.emit(payload, as_json=as_json)
    if not healthy:
        raise typer.Exit(1)
