"""The MCP server: lists the tools and calls them, whichever transport it is reached by."""

from collections.abc import Awaitable, Callable
from functools import partial
from importlib.metadata import version
from typing import Any

from mcp.server.lowlevel import Server
from mcp_types import CallToolRequestParams, CallToolResult, ListToolsResult

from contextful_cli.credentials.credential import Credential
from contextful_cli.serve import tools
from contextful_cli.serve.limits import Gate
from contextful_cli.serve.service import Service

CredentialOf = Callable[[Any], Awaitable[Credential]]


def build(service: Service, gate: Gate, credential_of: CredentialOf, *, underscores: bool) -> Server:
    """The server. credential_of: who makes a call, told from the transport's context, looked at for each call."""

    async def list_tools(_: Any, __: Any) -> ListToolsResult:
        return ListToolsResult(tools=[one.shown(underscores) for one in tools.OFFERED])

    async def call_tool(context: Any, asked: CallToolRequestParams) -> CallToolResult:
        try:
            credential = await credential_of(context)
            tool = tools.find(asked.name, underscores)
            return await gate.read(partial(tools.call, service, tool, credential, asked.arguments))
        except Exception as error:
            return tools.refused(error)

    return Server(
        "contextful",
        version=version("contextful"),
        title="Contextful memory",
        instructions=tools.INSTRUCTIONS,
        on_list_tools=list_tools,
        on_call_tool=call_tool,
    )
