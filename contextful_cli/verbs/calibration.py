"""`contextful memory calibration`: was the 0.8 right 80 % of the time?"""

from typing import Annotated

import typer


def calibration_verb(
    table: Annotated[str, typer.Option(help="The claims table; its declaration names the outcomes as `labels`.")],
    since: Annotated[str | None, typer.Option(help="Only outcomes observed from then on; a date: its start.")] = None,
    until: Annotated[str | None, typer.Option(help="Only outcomes observed until then; a date: its end.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON line.")] = False,
    as_csv: Annotated[bool, typer.Option("--csv", help="Print CSV: a line for each group and bin.")] = False,
    html: Annotated[str | None, typer.Option(help="Also write one page to read in a browser.", metavar="FILE")] = None,
    save: Annotated[
        bool, typer.Option("--save", help="Keep the report for the trend; without --until it ends with today (UTC).")
    ] = False,
    fail_over: Annotated[
        float | None,
        typer.Option(help="Exit 1 if a group of 30 or more has a higher calibration error.", metavar="ECE"),
    ] = None,
) -> None:
    """Report how often claims came true, against how sure they were, for each predicate.

    Example: contextful memory calibration --table forecast_claims --save --fail-over 0.05
    """
    from contextful_cli import calibration, caller, output, reads
    from contextful_cli.reliability import gate, lines, page, terminal

    gate.check(fail_over, as_json=as_json, as_csv=as_csv)
    who = caller.current()
    asked = calibration.window(who.home, since, until, ends_today=save)
    desk = reads.of_command(who)
    made = desk.answered(who, "memory.calibration", table, lambda: calibration.report(who, table, asked))
    if html is not None:
        kept = [one["report"] for one in calibration.trend(who, table)]
        page.write(html, made, [one for one in kept if one["window"] != made["window"]] + [made] * save)
    if save and not calibration.save(who, asked, made):
        output.note("This report is saved already; nothing has changed since.")
    if as_csv:
        print(lines.csv_text(made), end="")
    else:
        output.emit(made, as_json=as_json, table=terminal.shown)
    gate.leave(fail_over, calibration.worst(made))
