"""MCP over standard input and output, for a host that starts this process."""

from functools import partial
from typing import Any

import anyio
from mcp.server.stdio import stdio_server

from contextful_cli.credentials import authenticate
from contextful_cli.credentials.credential import Credential
from contextful_cli.serve import logs, mcp_server
from contextful_cli.serve.limits import Gate, Limits
from contextful_cli.serve.service import Service
from contextful_cli.settings import Home

SESSIONS = 4


def serve(home: Home, *, underscores: bool) -> None:
    """Serve until standard input ends. A credential that is refused at the start refuses here."""
    authenticate.current(home)
    logs.to_stderr()
    service = Service(home, authenticate.LOCAL, Limits(sessions=SESSIONS))
    try:
        anyio.run(partial(_serve, service, underscores=underscores))
    finally:
        service.close()


async def _serve(service: Service, *, underscores: bool) -> None:
    gate = Gate(service.limits, refused=lambda: None)

    async def credential_of(_: Any) -> Credential:
        return await gate.check(partial(authenticate.current, service.home))

    server = mcp_server.build(service, gate, credential_of, underscores=underscores)
    async with stdio_server() as (incoming, outgoing):
        await server.run(incoming, outgoing, server.create_initialization_options())
