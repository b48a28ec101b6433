"""A served home for tests: in this process, or as the process that a deployment would start."""

import json
import os
import re
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from granting import token
from starlette.testclient import TestClient

from contextful_cli.serve.app import Faces, build
from contextful_cli.serve.limits import Limits
from contextful_cli.serve.service import Service
from contextful_cli.settings import Home

AUDIENCE = "serve"
CLAIM = {"subject": "orion", "predicate": "lead", "object": "Mira", "confidence": 0.9, "evidence": []}
WRITE = {"into": "facts", "actor": "ann", "session": "t-1", "dedup_key": "evt-1", "claim": CLAIM}
SCOPE = "console:ann:t-1"


def writer_token(home: Home, **wish: Any) -> str:
    """Ann's, for her session t-1, to read and write facts and to read people; unless told otherwise."""
    usual = {"read": ("facts", "people"), "write": ("facts",), "task": "t-1"}
    return token(home, **usual | wish)


@dataclass
class Served:
    """A server, and a token of Ann's."""

    http: TestClient
    service: Service
    token: str

    def post(self, path: str, body: Any, given: str | None = None, **headers: str) -> Any:
        """The response to a POST; body: bytes as they are, else as JSON. given: a token in place of Ann's."""
        sent = body if isinstance(body, bytes) else json.dumps(body).encode()
        known = {"authorization": f"Bearer {self.token if given is None else given}"}
        return self.http.post(path, content=sent, headers=known | headers)

    def write(self, **changed: Any) -> Any:
        """The response to Ann's write, with these members in place of the usual ones."""
        return self.post("/memory/claims", WRITE | changed)

    def recall(self, **arguments: Any) -> Any:
        """The response to a recall about orion in facts, with these arguments besides or in place."""
        return self.post("/memory/recall", {"table": "facts", "subject": "orion"} | arguments)


@contextmanager
def served(home: Home, *, writable: bool = True, limits: Limits | None = None, **faces: Any) -> Iterator[Served]:
    """The home served in this process, for the block."""
    service = Service(home, AUDIENCE, limits or Limits())
    with TestClient(build(service, Faces(writable=writable, **faces)), base_url="http://localhost") as http:
        yield Served(http, service, writer_token(home))


def told(response: Any) -> tuple[int, str]:
    """Status and identifier of a refusal; its body has the one form, and no more bytes than it may."""
    inner = response.json()["error"]
    assert set(inner) == {"code", "http", "identifier", "message"}
    assert inner["http"] == response.status_code
    assert inner["code"] == re.sub(r"(?<!^)([A-Z])", r"_\1", inner["identifier"]).lower()
    assert len(response.content) <= 512
    return response.status_code, inner["identifier"]


def stored(home: Home) -> list[tuple]:
    """(subject, object, scope) of all rows in facts."""
    from contextful_cli import lake

    con = lake.open_lake(home)
    try:
        return con.execute("select subject, object, scope from landing.main.facts order by _ingested_at").fetchall()
    finally:
        con.close()


@dataclass
class Process:
    """A running `contextful serve`."""

    popen: subprocess.Popen
    url: str
    said: list[str] = field(default_factory=list)

    @property
    def port(self) -> int:
        return int(self.url.rpartition(":")[2])

    def connect(self) -> socket.socket:
        """A raw connection to it."""
        return socket.create_connection(("127.0.0.1", self.port), timeout=30)

    def stop(self, sent: int = signal.SIGTERM) -> int:
        """Stop it; gives its exit code, and keeps what it wrote on stderr."""
        self.popen.send_signal(sent)
        self.said += self.popen.communicate(timeout=60)[1].splitlines()
        return self.popen.returncode


@contextmanager
def process(home: Home, *options: str) -> Iterator[Process]:
    """The home served by a process of its own."""
    command = [sys.executable, "-m", "contextful_cli.app", "serve", "--port", "0", "--writable", *options]
    env = os.environ | {"CONTEXTFUL_HOME": str(home.root), "DBT_PROJECT_DIR": str(home.project)}
    popen = subprocess.Popen(command, env=env, stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True)
    try:
        first = popen.stderr.readline()
        yield Process(popen, first.split()[-1], [first])
    finally:
        if popen.poll() is None:
            popen.terminate()
            popen.communicate(timeout=60)


def waited(condition: Any, seconds: float = 20.0) -> None:
    """Wait until something holds."""
    until = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < until, "it never came to hold"
        time.sleep(0.02)
