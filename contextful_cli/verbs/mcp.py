"""`contextful mcp`: the tools over standard input and output."""

from typing import Annotated

import typer


def mcp_verb(
    underscores: Annotated[bool, typer.Option("--underscores", help="Name tools memory_recall, without dots.")] = False,
) -> None:
    """Serve the read tools over MCP on stdin and stdout, for a host that starts this command.

    It acts under $CONTEXTFUL_TOKEN, or else as the local operator; give an agent a token of its own.

    Example: CONTEXTFUL_TOKEN=$(cat ann.token) contextful mcp --underscores
    """
    from contextful_cli.serve import mcp_stdio
    from contextful_cli.settings import Home

    mcp_stdio.serve(Home.locate(), underscores=underscores)
