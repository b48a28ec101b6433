"""The process: listening, the line that says where, and an end that lets requests finish."""

import signal
import socket
import sys
from collections.abc import Callable
from typing import Any

import uvicorn
from uvicorn.protocols.http.h11_impl import H11Protocol

from contextful_cli.errors import ContextfulError
from contextful_cli.serve import app, logs
from contextful_cli.serve.app import Faces
from contextful_cli.serve.limits import Limits
from contextful_cli.serve.service import Service
from contextful_cli.settings import Home

HEAD_BYTES = 128 * 1024  # a token has up to 64 KiB
BACKLOG = 512


def serve(home: Home, address: tuple[str, int], audience: str, faces: Faces, limits: Limits) -> None:
    """Serve until SIGTERM or SIGINT; requests in flight are answered first."""
    logs.to_stderr()
    listening = _listen(*address)
    service = Service(home, audience, limits)
    config = uvicorn.Config(
        app.build(service, faces),
        http=_patient(limits.body_seconds),
        ws="none",
        lifespan="on",
        log_config=None,
        access_log=False,
        server_header=False,
        h11_max_incomplete_event_size=HEAD_BYTES,
    )
    for stop in (signal.SIGTERM, signal.SIGINT):
        signal.signal(stop, _ignore)  # uvicorn raises a signal once more when all is done: that must not be its end
    _Announced(config, listening, faces.writable).run(sockets=[listening])


def _ignore(*_: object) -> None:
    pass


class _Announced(uvicorn.Server):
    """Says where it listens, once it does."""

    def __init__(self, config: uvicorn.Config, listening: socket.socket, writable: bool) -> None:
        super().__init__(config)
        self._listening, self._writable = listening, writable

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        host, port = self._listening.getsockname()[:2]
        named = f"[{host}]" if ":" in host else host
        does = "reads and writes" if self._writable else "reads"
        print(f"contextful serves {does} at http://{named}:{port}", file=sys.stderr, flush=True)


def _listen(host: str, port: int) -> socket.socket:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        listening = socket.create_server((host, port), family=family, backlog=BACKLOG)
    except OSError as error:
        raise ContextfulError("RequestRefused", f"cannot listen at {host}:{port}: {error.strerror or error}") from None
    # asyncio does this only for sockets made otherwise; without it, each answer waits 40 ms for the client's ACK.
    listening.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return listening


def _patient(seconds: float) -> Callable[..., H11Protocol]:
    """uvicorn's protocol, which waits for a body as we tell it, but for a request's head without end."""

    class Patient(H11Protocol):
        _timer: Any = None

        def connection_made(self, transport: Any) -> None:
            super().connection_made(transport)
            self._watch_head()

        def data_received(self, data: bytes) -> None:
            super().data_received(data)
            self._watch_head()

        def connection_lost(self, exc: Exception | None) -> None:
            super().connection_lost(exc)
            self._stop_watching()

        def _awaits_head(self) -> bool:
            return self.cycle is None or self.cycle.response_complete

        def _watch_head(self) -> None:
            if not self._awaits_head():
                self._stop_watching()
            elif self._timer is None:
                self._timer = self.loop.call_later(seconds, self._close_idle)

        def _stop_watching(self) -> None:
            if self._timer is not None:
                self._timer.cancel()
                self._timer = None

        def _close_idle(self) -> None:
            self._timer = None
            if self._awaits_head():
                self.transport.close()

    return Patient
