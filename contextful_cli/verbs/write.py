"""`contextful memory write`: one claim, a file of claims, or the rows of a dbt model."""

from typing import Annotated

import typer


def write_verb(
    into: Annotated[str, typer.Option(help="The declared claims table.")],
    claim: Annotated[
        str | None, typer.Option(help="JSON: {subject, predicate, object, scope?, confidence, evidence}.")
    ] = None,
    source: Annotated[
        str | None,
        typer.Option("--from", help="A file of lines {claim, observed_at?, valid_until?, dedup_key?}; - for stdin."),
    ] = None,
    from_model: Annotated[str | None, typer.Option(help="A dbt model with these columns, built first.")] = None,
    observed_at: Annotated[str | None, typer.Option(help="Since when it holds; default: now.")] = None,
    valid_until: Annotated[str | None, typer.Option(help="Until when it holds; default: open-ended.")] = None,
    dedup_key: Annotated[str | None, typer.Option(help="Makes a retry of this write land nothing.")] = None,
    grounding: Annotated[
        str | None, typer.Option(help="`fetched` for what was found by searching: tier researched.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON line.")] = False,
) -> None:
    """Write claims; one that replaces a standing claim ends it, and nothing is overwritten.

    Example: contextful memory write --into facts --claim '{"subject": "orion", "predicate": "lead", "object": "Mira",
    "confidence": 0.9, "evidence": []}' --observed-at 2026-01-31T09:30:00Z
    """
    from contextful_cli import caller, output, progress, revise
    from contextful_cli.errors import ContextfulError
    from contextful_cli.verbs import batches

    batches.require_one("--claim JSON", claim, source, from_model)
    if claim is None and any(given is not None for given in (observed_at, valid_until, dedup_key)):
        raise ContextfulError("ArgumentMalformed", "--observed-at, --valid-until and --dedup-key go with --claim")
    who = caller.current()
    if claim is not None:
        one = revise.Claim(claim, observed_at, valid_until, dedup_key)
        output.emit(revise.write_one(who, into, one, grounding), as_json=as_json)
        return
    with progress.shown("writing claims") as told:
        if source is not None:
            report = revise.write_file(who, into, source, grounding, told)
        else:
            report = revise.write_model(who, into, from_model, grounding, told)
    batches.tell(report, as_json=as_json)
