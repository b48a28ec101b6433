"""`contextful serve`: HTTP and MCP for programs and agents."""

from typing import Annotated

import typer


def serve_verb(
    host: Annotated[str, typer.Option(help="The address to listen at.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(help="The port; 0 takes a free one.", min=0, max=65535)] = 8765,
    writable: Annotated[bool, typer.Option("--writable", help="Take claims at POST /memory/claims.")] = False,
    audience: Annotated[str, typer.Option(help="The audience that tokens may name.")] = "serve",
    allow_host: Annotated[
        list[str] | None, typer.Option(help="A Host besides localhost that MCP answers; may be repeated.", metavar="H")
    ] = None,
    allow_origin: Annotated[
        list[str] | None, typer.Option(help="A page's Origin that MCP answers; may be repeated.", metavar="URL")
    ] = None,
    underscores: Annotated[bool, typer.Option("--underscores", help="Name tools memory_recall, without dots.")] = False,
    workers: Annotated[int, typer.Option(help="Reads at once.", min=1, max=64)] = 4,
    queue: Annotated[int, typer.Option(help="Requests that may wait besides.", min=0)] = 64,
    sessions: Annotated[int, typer.Option(help="Idle read sessions that are kept.", min=1)] = 16,
    body_bytes: Annotated[int, typer.Option(help="The longest body.", min=1024)] = 1024 * 1024,
    body_seconds: Annotated[float, typer.Option(help="How long a head, and a body, may take.", min=0.1)] = 10.0,
) -> None:
    """Serve recall, MCP at /mcp and, with --writable, claims; the API is described at /docs.

    Every request carries a token: `Authorization: Bearer …`. SIGTERM ends it once requests in flight are answered.

    Example: contextful serve --port 8765 --writable
    """
    from contextful_cli.serve import run
    from contextful_cli.serve.app import Faces
    from contextful_cli.serve.limits import Limits
    from contextful_cli.settings import Home

    faces = Faces(writable, underscores, tuple(allow_host or ()), tuple(allow_origin or ()))
    limits = Limits(workers, queue, body_bytes, body_seconds, sessions)
    run.serve(Home.locate(), (host, port), audience, faces, limits)
