"""MCP over streamable HTTP at /mcp: a request carries its credential, and no session outlives it."""

from collections.abc import Iterable
from typing import Any

from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
from starlette.requests import Request
from starlette.types import Message, Receive, Scope, Send

from contextful_cli.credentials.credential import Credential
from contextful_cli.serve import errors, mcp_server
from contextful_cli.serve.entry import credential_of
from contextful_cli.serve.errors import HttpRefusal
from contextful_cli.serve.limits import Gate, body_of
from contextful_cli.serve.service import Service

LOCAL_NAMES = ("127.0.0.1", "localhost", "[::1]")


class McpEndpoint:
    """The ASGI application at /mcp."""

    def __init__(
        self, service: Service, gate: Gate, *, hosts: Iterable[str], origins: Iterable[str], underscores: bool
    ) -> None:
        """hosts, origins: those besides localhost's that a request may name, as `name` or `name:port`, and as URLs."""
        self._service, self._gate = service, gate
        self._hosts, self._origins = {*LOCAL_NAMES, *hosts}, set(origins)
        server = mcp_server.build(service, gate, _credential, underscores=underscores)
        # Stateless: a session would go on under a credential that was revoked meanwhile.
        self.manager = StreamableHTTPSessionManager(
            server, json_response=True, stateless=True, max_request_body_size=service.limits.body_bytes
        )

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        request = Request(scope, receive)
        try:
            self._refuse_rebound(request)
            if request.method != "POST":
                raise HttpRefusal(405, "MCP takes POST; there is no stream to listen to")
            request.state.credential = await credential_of(request, self._service, self._gate)
            with self._gate.admitted():
                body = await body_of(request, self._service.limits)
                await self.manager.handle_request(scope, _replayed(body, receive), send)
        except Exception as error:
            await errors.response(error)(scope, receive, send)

    def _refuse_rebound(self, request: Request) -> None:
        """A page whose name was bound to this address anew sends its own Host, and a page elsewhere its Origin."""
        host, origin = request.headers.get("host", ""), request.headers.get("origin")
        if not _names(host) & self._hosts:
            raise HttpRefusal(403, "this server does not go by that Host; it is started with --allow-host for it")
        own = origin is not None and origin.partition("://")[2]
        if origin is not None and origin not in self._origins and not _names(str(own)) & set(LOCAL_NAMES):
            raise HttpRefusal(403, "no page of that Origin may call this server; see --allow-origin")


def _names(host: str) -> set[str]:
    """A host as it is given, and without its port."""
    name, colon, port = host.rpartition(":")
    return {host, name} if colon and port.isdecimal() else {host}


async def _credential(context: Any) -> Credential:
    return context.request.state.credential


def _replayed(body: bytes, receive: Receive) -> Receive:
    """The body once more, for who has not read it; then what the connection says."""
    messages: list[Message] = [{"type": "http.request", "body": body, "more_body": False}]

    async def receive_again() -> Message:
        return messages.pop() if messages else await receive()

    return receive_again
