"""What a server counts, as Prometheus reads it. No label names a table, a subject or a caller."""

import time

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, ProcessCollector, generate_latest
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from contextful_cli.serve.service import Service

SECONDS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60)
ROUTES = ("/memory/claims", "/memory/recall", "/mcp", "/healthz", "/metrics", "/openapi.json", "/docs")


class Metrics:
    """One registry a server, so that two in one process do not mix."""

    def __init__(self, service: Service) -> None:
        registry = self._registry = CollectorRegistry()
        ProcessCollector(registry=registry)
        self._requests = Counter("contextful_requests", "Answered requests.", ["route", "status"], registry=registry)
        self._seconds = Histogram(
            "contextful_request_seconds", "Until the answer's end.", ["route"], buckets=SECONDS, registry=registry
        )
        self._in_flight = Gauge("contextful_requests_in_flight", "Requests being answered.", registry=registry)
        self.overloads = Counter("contextful_overloads", "Requests refused for want of a place.", registry=registry)
        sessions = Gauge("contextful_sessions_open", "Sessions, in use or kept.", ["kind"], registry=registry)
        sessions.labels("reader").set_function(lambda: len(service.readers.idle) + service.readers.in_use)
        sessions.labels("writer").set_function(lambda: len(service.writers.idle))

    def text(self) -> bytes:
        """The text format of Prometheus."""
        return generate_latest(self._registry)

    def around(self, app: ASGIApp) -> ASGIApp:
        """The application, its requests counted by route and status."""

        async def counted(scope: Scope, receive: Receive, send: Send) -> None:
            if scope["type"] != "http":
                await app(scope, receive, send)
                return
            status, begun = 0, time.perf_counter()
            route = _route(scope["path"])

            async def watched(message: Message) -> None:
                nonlocal status
                status = message.get("status", status)
                await send(message)

            with self._in_flight.track_inprogress():
                try:
                    await app(scope, receive, watched)
                finally:
                    self._seconds.labels(route).observe(time.perf_counter() - begun)
                    self._requests.labels(route, str(status)).inc()

        return counted


def _route(path: str) -> str:
    """A path of ours, or `other`: paths are the client's to make up, and each label is kept for good."""
    return next((route for route in ROUTES if path == route or path.startswith(f"{route}/")), "other")
