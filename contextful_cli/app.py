"""The command line: registers every verb, and alone turns errors into exit codes."""

import os
import sys
from functools import cache
from typing import Annotated

import typer

from contextful_cli.errors import ContextfulError
from contextful_cli.verbs import COMMANDS, GROUPS, load

app = typer.Typer(name="contextful", no_args_is_help=True, add_completion=False, pretty_exceptions_enable=False)


@app.callback()
def _options(
    project_dir: Annotated[
        str | None, typer.Option(help="The project folder; default: the folder you are in.", show_default=False)
    ] = None,
) -> None:
    """A memory for agents and teams: claims with evidence, replaced but never overwritten, readable as SQL."""
    if project_dir is not None:
        os.environ["DBT_PROJECT_DIR"] = project_dir


@cache
def _register() -> None:
    for name in COMMANDS:
        app.command(name)(load(name))
    for group, (text, names) in GROUPS.items():
        sub = typer.Typer(help=text, no_args_is_help=True)
        for name in names:
            sub.command(name)(load(name, group))
        app.add_typer(sub, name=group)


def main() -> None:
    """Entry point. Exit 0 success; 1 refusal or failure, stderr beginning with the identifier; 2 usage."""
    _register()
    try:
        app()
    except ContextfulError as error:
        print(f"{error.identifier}: {error.message}", file=sys.stderr)
        sys.exit(1)
    except BrokenPipeError:
        sys.stderr.close()
        sys.exit(1)


if __name__ == "__main__":
    main()
