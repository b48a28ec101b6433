"""`contextful memory recall`: what held of a subject at an instant."""

from typing import Annotated

import typer


def recall_verb(
    table: Annotated[str, typer.Option(help="The claims table.")],
    subject: Annotated[str, typer.Option(help="Whom or what the claims are about; matched exactly.")],
    scope: Annotated[str | None, typer.Option(help="Only claims of this scope.")] = None,
    predicate: Annotated[str | None, typer.Option(help="Only claims of this predicate.")] = None,
    observed_at: Annotated[str | None, typer.Option(help="What held then; default: now.")] = None,
    as_of_ingest: Annotated[str | None, typer.Option(help="As it was known then; default: all that is known.")] = None,
    available_as_of: Annotated[str | None, typer.Option(help="From what was available then.")] = None,
    limit: Annotated[str | None, typer.Option(help="At most so many claims.", metavar="N")] = None,
    internals: Annotated[bool, typer.Option("--internals", help="Also the SQL, its time and its rows.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON line.")] = False,
) -> None:
    """Recall what held of a subject at an instant, each claim with its evidence.

    An instant is RFC 3339 with an offset, or a date, which means before the next midnight UTC.

    Example: contextful memory recall --table congress_claims --subject "Maria Cantwell" --observed-at 2003-06-01
    """
    from contextful_cli import caller, output, reads, recall
    from contextful_cli.reader import Reader
    from contextful_cli.verbs.shown import claims

    # rule: recall.cli-verb
    asked = recall.Request(table, subject, scope, predicate, observed_at, as_of_ingest, available_as_of, limit)
    with Reader(caller.current()) as reader:
        answer = reads.of_command(reader.caller).recall(reader, asked, internals=internals)
    output.emit(answer, as_json=as_json, table=claims)
