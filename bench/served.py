"""What the faces cost: one warm recall over HTTP, over MCP and with its ledger entry, against the same in process."""

import statistics
import time
from collections.abc import Awaitable, Callable
from typing import Any

import anyio
import httpx
import server
from mcp.client.client import Client
from mcp.client.stdio import StdioServerParameters, stdio_client
from mcp.client.streamable_http import streamable_http_client
from workshop import Workshop

from contextful_cli import recall
from contextful_cli.caller import Caller
from contextful_cli.credentials.authenticate import authenticate
from contextful_cli.ledger import Ledger
from contextful_cli.reader import Reader
from contextful_cli.reads import Desk

REPEATS = 60
WARMING = 10


def faces(shop: Workshop, claims: int) -> dict[str, tuple[float, float]]:
    """Figure to (p50 seconds of ours, p50 seconds of the same recall in process without its entry)."""
    token = server.token(shop, "ann")
    subjects = [f"s{number * 7919 % max(claims // 10, 1)}" for number in range(REPEATS + WARMING)]
    caller = Caller(shop.home, shop.tables, authenticate(shop.home, token, "local"))
    with Reader(caller) as reader:
        bare = _median(lambda subject: recall.recall(reader, recall.Request("facts", subject)), subjects)
        desk = Desk("cli", Ledger(shop.home))
        recorded = _median(lambda subject: desk.recall(reader, recall.Request("facts", subject)), subjects)
    found = {"recall with its ledger entry, against without": (recorded, bare)}
    with server.running(shop) as served:
        found["recall over HTTP, against in process"] = (_over_http(served.url, token, subjects), bare)
        over_mcp = anyio.run(_over_mcp, served.url, token, subjects)
        found["recall over MCP at /mcp, against in process"] = (over_mcp, bare)
    over_stdio = anyio.run(_over_stdio, shop, token, subjects)
    found["recall over MCP on stdio, against in process"] = (over_stdio, bare)
    return found


def _median(ask: Callable[[str], Any], subjects: list[str]) -> float:
    times = []
    for subject in subjects:
        begun = time.perf_counter()
        ask(subject)
        times.append(time.perf_counter() - begun)
    return statistics.median(times[WARMING:])


def _over_http(url: str, token: str, subjects: list[str]) -> float:
    with httpx.Client(base_url=url, headers={"authorization": f"Bearer {token}"}) as client:
        return _median(lambda subject: _answered(client, subject), subjects)


def _answered(client: httpx.Client, subject: str) -> None:
    client.post("/memory/recall", json={"table": "facts", "subject": subject}).raise_for_status().json()


async def _over_mcp(url: str, token: str, subjects: list[str]) -> float:
    import httpx2  # the SDK's own HTTP client

    headers = {"authorization": f"Bearer {token}"}
    async with (
        httpx2.AsyncClient(headers=headers) as http,
        Client(streamable_http_client(f"{url}/mcp", http_client=http)) as client,
    ):
        return await _called(client.call_tool, subjects)


async def _over_stdio(shop: Workshop, token: str, subjects: list[str]) -> float:
    command, *arguments = shop.command("mcp")
    environment = shop.environment | {"CONTEXTFUL_TOKEN": token}
    async with Client(stdio_client(StdioServerParameters(command=command, args=arguments, env=environment))) as client:
        return await _called(client.call_tool, subjects)


async def _called(call: Callable[..., Awaitable[Any]], subjects: list[str]) -> float:
    times = []
    for subject in subjects:
        begun = time.perf_counter()
        answer = await call("memory.recall", {"table": "facts", "subject": subject})
        times.append(time.perf_counter() - begun)
        if answer.is_error:
            raise SystemExit(f"MCP: {answer.structured_content}")
    return statistics.median(times[WARMING:])
