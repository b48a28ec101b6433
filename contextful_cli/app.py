"""The command line: registers every verb, and alone turns errors into exit codes."""

import os
import sys
from functools import cache
from typing import Annotated, NoReturn

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
        _refuse_no_text(sys.argv)
        app(standalone_mode=True)
    except SystemExit:
        _flush()
        raise
    except ContextfulError as error:
        _fail(error.identifier, error.message)
    except UnicodeError:
        _fail("ArgumentMalformed", "standard input or a file holds bytes that are no text in UTF-8")
    except OSError as error:
        _discard_output()
        _fail("StorageFailed", f"{error.strerror or error}")
    except Exception as error:
        _fail_as_storage(error)


def _refuse_no_text(arguments: list[str]) -> None:
    for number, argument in enumerate(arguments):
        if any("\ud800" <= character <= "\udfff" for character in argument):
            raise ContextfulError("ArgumentMalformed", f"argument {number} is no text in UTF-8")


def _flush() -> None:
    """Write what was printed now, where a full disk or a closed pipe can still be told."""
    try:
        sys.stdout.flush()
    except OSError as error:
        _discard_output()
        _fail("StorageFailed", f"the answer could not be written: {error.strerror or error}")


def _fail(identifier: str, message: str) -> NoReturn:
    print(f"{identifier}: {message}", file=sys.stderr)
    sys.exit(1)


def _discard_output() -> None:
    """What stdout still holds would fail once more at exit, with a traceback."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.__stdout__.fileno())


def _fail_as_storage(error: Exception) -> NoReturn:
    """DuckDB's own errors come of damaged or unreadable files; anything else is a fault of ours and shows as one."""
    duckdb = sys.modules.get("duckdb")
    if duckdb is None or not isinstance(error, duckdb.Error):
        raise error
    first = str(error).splitlines()[0]
    _fail("StorageFailed", f"the storage answered: {first}; `contextful doctor` tells what is damaged")


if __name__ == "__main__":
    main()
