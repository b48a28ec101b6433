"""`contextful build`: compact the lake, dbt build, publish, and say what happened."""

from collections import Counter
from typing import TYPE_CHECKING, Annotated, Any

import typer

if TYPE_CHECKING:
    from contextful_cli.warehouse import Result


def build_verb(
    selectors: Annotated[list[str] | None, typer.Argument(help="dbt selectors, such as +congress_claims.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON line.")] = False,
) -> None:
    """Compact the lake, build and test the models, publish a fresh copy for readers.

    Example: contextful build
    """
    import time

    from contextful_cli import output, published, warehouse
    from contextful_cli.credentials import authenticate

    home = authenticate.operator_home("build")
    begun = time.monotonic()
    results = warehouse.build(home, ["--select", *selectors] if selectors else [])
    file = published.current(home)
    payload = {
        **_counts(results),
        "seconds": round(time.monotonic() - begun, 1),
        "slowest": _slowest(results),
        "published": str(file) if file else None,
    }
    output.emit(payload, as_json=as_json)


def _counts(results: "list[Result]") -> dict[str, int]:
    kinds = Counter(result.node.split(".")[0] for result in results)
    return {"models": kinds["model"], "seeds": kinds["seed"], "tests": kinds["test"] + kinds["unit_test"]}


def _slowest(results: "list[Result]") -> list[dict[str, Any]]:
    longest = sorted(results, key=lambda result: -result.seconds)[:3]
    return [{"node": result.node, "seconds": round(result.seconds, 2)} for result in longest]
