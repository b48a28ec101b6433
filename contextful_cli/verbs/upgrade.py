"""`contextful upgrade`: bring an older or damaged lake up to this release."""

from typing import Annotated

import typer


def upgrade_verb(as_json: Annotated[bool, typer.Option("--json", help="Print one JSON line.")] = False) -> None:
    """Bring a lake of an older release up to this one, and restore a lost clock; safe to repeat.

    Example: contextful upgrade
    """
    from contextful_cli import declaration, layout, output, upgrade
    from contextful_cli.credentials import tokens
    from contextful_cli.settings import Home

    home = Home.locate()
    restored = upgrade.restore_clock(home)
    tokens.ensure(home)
    changes = layout.lay_tables(home, declaration.load(home.project))
    output.emit({"clock_restored": restored, "laid": changes}, as_json=as_json)
