"""The HTTP application: routes, the order of their checks, and the one way from an exception to an answer."""

import asyncio
import json
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from dataclasses import dataclass
from functools import partial
from typing import Any

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route
from starlette.types import ASGIApp

from contextful_cli.errors import ContextfulError
from contextful_cli.serve import claims, docs, errors, openapi, recalling
from contextful_cli.serve.entry import credential_of
from contextful_cli.serve.errors import HttpRefusal
from contextful_cli.serve.limits import Gate, body_of
from contextful_cli.serve.mcp_http import McpEndpoint
from contextful_cli.serve.metrics import Metrics
from contextful_cli.serve.service import Service

SWEEP_SECONDS = 10.0
Handler = Callable[[Request], Awaitable[Response]]


@dataclass(frozen=True, slots=True)
class Faces:
    """What a server offers besides reading. hosts, origins: whom MCP answers besides localhost."""

    writable: bool = False
    underscores: bool = False
    hosts: tuple[str, ...] = ()
    origins: tuple[str, ...] = ()


class Routes:
    """The handlers. Each raises what it refuses with; `answering` makes the answer of it."""

    def __init__(self, service: Service, faces: Faces) -> None:
        self.service, self.faces = service, faces
        self.metrics = Metrics(service)
        self.gate = Gate(service.limits, self.metrics.overloads.inc)

    async def claims(self, request: Request) -> Response:
        """Direct write. The order of these checks is the contract's."""
        try:
            # rule: revise.browser-request
            if "origin" in request.headers:
                raise ContextfulError("MemoryClaimBrowserRefused", "this route takes no request of a web page")
            credential = await credential_of(request, self.service, self.gate)
            if not self.faces.writable:
                raise ContextfulError(
                    "RequestRefused", "this server only reads; it is started with --writable to write"
                )
            with self.gate.admitted():
                body = await body_of(request, self.service.limits)
                return _json(await self.gate.write(partial(claims.write, self.service, credential, body)))
        except Exception as error:
            raise claims.fault(error) from error

    async def recall(self, request: Request) -> Response:
        """Keyed recall, for programs that speak no MCP."""
        credential = await credential_of(request, self.service, self.gate)
        with self.gate.admitted():
            body = await body_of(request, self.service.limits)
            return await self.gate.read(partial(self._recalled, credential, body))

    def _recalled(self, credential: Any, body: bytes) -> Response:
        return _json(recalling.answer(self.service, "http", credential, body))

    async def healthz(self, _: Request) -> Response:
        """Whether the lake can be read. Names nothing, and needs no credential."""
        await self.gate.check(self.service.check)
        return _json({"status": "ok"})

    async def metrics_text(self, _: Request) -> Response:
        """Counters in Prometheus' text format."""
        return Response(self.metrics.text(), media_type="text/plain; version=0.0.4; charset=utf-8")

    async def document(self, _: Request) -> Response:
        """The OpenAPI document."""
        return _json(openapi.document())


def _json(payload: Any) -> Response:
    text = json.dumps(payload, ensure_ascii=False, allow_nan=False)
    return Response(text.encode(), headers={"cache-control": "no-store"}, media_type="application/json")


def answering(handler: Handler) -> Handler:
    """The handler, with whatever it raises as an answer."""

    async def answer(request: Request) -> Response:
        try:
            return await handler(request)
        except Exception as error:
            return errors.response(error)

    return answer


async def _of_http(_: Request, error: Exception) -> Response:
    """What routing refuses: an unknown path, a method that a route does not take."""
    status = error.status_code if isinstance(error, HTTPException) else 404
    told = "the route does not take this method" if status == 405 else "there is nothing at this path"
    answer = errors.response(HttpRefusal(status, f"{told}; /openapi.json tells what there is"))
    answer.headers.update(getattr(error, "headers", None) or {})
    return answer


def build(service: Service, faces: Faces) -> ASGIApp:
    """The application that serves a home."""
    routes = Routes(service, faces)
    mcp = McpEndpoint(service, routes.gate, hosts=faces.hosts, origins=faces.origins, underscores=faces.underscores)
    table = [
        Route("/memory/claims", answering(routes.claims), methods=["POST"]),
        Route("/memory/recall", answering(routes.recall), methods=["POST"]),
        Route("/healthz", answering(routes.healthz), methods=["GET"]),
        Route("/metrics", answering(routes.metrics_text), methods=["GET"]),
        Route("/openapi.json", answering(routes.document), methods=["GET"]),
        Route("/mcp", mcp),
        *docs.routes(),
    ]
    handlers = {HTTPException: _of_http}
    app = Starlette(routes=table, exception_handlers=handlers, lifespan=partial(_lifespan, service, mcp))
    app.router.redirect_slashes = False
    return routes.metrics.around(app)


@asynccontextmanager
async def _lifespan(service: Service, mcp: McpEndpoint, _: Starlette) -> AsyncIterator[None]:
    async with AsyncExitStack() as stack:
        stack.callback(service.close)
        await stack.enter_async_context(mcp.manager.run())
        sweeping = asyncio.create_task(_sweep(service))
        try:
            yield
        finally:
            sweeping.cancel()
            with suppress(asyncio.CancelledError):
                await sweeping


async def _sweep(service: Service) -> None:
    while True:
        await asyncio.sleep(SWEEP_SECONDS)
        await asyncio.to_thread(service.sweep)
