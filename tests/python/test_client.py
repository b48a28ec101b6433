"""The Python client against a real server, and against servers that fail."""

import json
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import httpx
import pytest
from serving import CLAIM, process, writer_token

from contextful_cli import land
from contextful_cli.caller import local_operator
from contextful_cli.client import Client
from contextful_cli.errors import ContextfulError
from contextful_cli.settings import Home
from contextful_cli.tables import Table


def refusal(call: Callable[[], Any]) -> ContextfulError:
    with pytest.raises(ContextfulError) as refused:
        call()
    return refused.value


def test_write_recall_and_refusals(home: Home, tables: list[Table]) -> None:
    file = home.root / "people.jsonl"
    file.write_text('{"id": "1", "name": "Mira"}\n')
    land.land(local_operator(home, tables), land.Request(table="people", source=str(file), run_id="r-1"))
    claim = CLAIM | {"evidence": [{"table": "people", "run": "r-1", "seq": 0}]}
    with process(home) as server, Client(server.url, writer_token(home)) as memory:
        assert memory.health()
        first = memory.write("facts", claim, actor="ann", session="t-1", dedup_key="k")
        again = memory.write("facts", claim, actor="ann", session="t-1", dedup_key="k")
        assert (first.landed, again.landed, again.claim_id) == (True, False, None)
        assert first.scope == again.scope == "console:ann:t-1"
        found = memory.recall("facts", "orion", observed_at="2999-01-01")
        assert [(one["claim_id"], one["object"]) for one in found.claims] == [(first.claim_id, "Mira")]
        assert (found.truncated, found.stale) == (False, 0)
        assert found.suppressed == {"MemoryEvidenceUnresolved": 0, "MemoryEvidenceOverflow": 0}
        assert "contextful.bounds" in found.response
        assert len(memory.recall("facts", ["nobody", "orion"]).claims) == 1
        assert refusal(lambda: memory.recall("tastes", "x")).identifier == "EnforceUnknownRelation"
        mine = refusal(lambda: memory.write("facts", claim, actor="bob", session="t-1", dedup_key="k"))
        assert mine.identifier == "MemoryClaimScopeRefused"
        assert server.stop() == 0
        assert not memory.health()


@contextmanager
def answering(*answers: httpx.Response | Exception) -> Iterator[tuple[Client, list[str]]]:
    """A client whose server gives these answers in turn, and the bodies that it was sent."""
    sent: list[str] = []
    left = list(answers)

    def answer(request: httpx.Request) -> httpx.Response:
        sent.append(request.content.decode())
        given = left.pop(0)
        if isinstance(given, Exception):
            raise given
        return given

    client = Client("http://memory.example", "t", retries=2)
    client._http = httpx.Client(base_url="http://memory.example", transport=httpx.MockTransport(answer))
    with client:
        yield client, sent


def fault(identifier: str, status: int = 503, **headers: str) -> httpx.Response:
    inner = {"code": "x", "http": status, "identifier": identifier, "message": "m"}
    return httpx.Response(status, json={"error": inner}, headers=headers)


LANDED = {"landed": True, "scope": "s", "claim_id": "c"}


def write(client: Client) -> Any:
    return client.write("facts", CLAIM, actor="ann", session="t", dedup_key="k")


def test_a_503_is_tried_again_with_the_same_body(monkeypatch: pytest.MonkeyPatch) -> None:
    slept: list[float] = []
    monkeypatch.setattr(time, "sleep", slept.append)
    busy = fault("ServerOverloaded", **{"Retry-After": "2"})
    endless = fault("MemoryClaimWriteRefused", **{"Retry-After": "86400"})
    with answering(busy, endless, httpx.Response(200, json=LANDED)) as (client, sent):
        assert write(client).landed
    assert slept == [2, 10]
    assert len(set(sent)) == 1
    assert json.loads(sent[0])["dedup_key"] == "k"


def test_tries_are_bounded_and_the_last_refusal_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(time, "sleep", lambda _: None)
    with answering(*[fault("MemoryClaimWriteRefused")] * 3) as (client, sent):
        assert refusal(lambda: write(client)).identifier == "MemoryClaimWriteRefused"
    assert len(sent) == 3
    with answering(*[httpx.ConnectError("no")] * 3) as (client, _):
        assert refusal(lambda: write(client)).identifier == "EndpointUnavailable"
    with answering(*[httpx.Response(502, text="<html>")] * 3) as (client, _):
        assert refusal(lambda: write(client)).identifier == "EndpointUnavailable"


def test_other_refusals_are_not_tried_again() -> None:
    with answering(fault("GrantWriteNotCovered", 403)) as (client, sent):
        assert refusal(lambda: write(client)).identifier == "GrantWriteNotCovered"
    assert len(sent) == 1
