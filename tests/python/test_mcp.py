"""MCP, asked by the SDK's own client over both transports, and what a plain HTTP client meets at /mcp."""

import json
import os
import statistics
import subprocess
import sys
import time
from collections.abc import Awaitable, Callable, Iterator
from contextlib import asynccontextmanager
from typing import Any

import anyio
import httpx2
import pytest
from granting import token
from jsonschema import Draft202012Validator
from ledgers import lines
from mcp.client.client import Client
from mcp.client.stdio import StdioServerParameters, stdio_client
from mcp.client.streamable_http import streamable_http_client
from serving import CLAIM, Process, Served, process, served, told, writer_token

from contextful_cli import land
from contextful_cli.caller import local_operator
from contextful_cli.credentials import revocations
from contextful_cli.credentials.authenticate import authenticate
from contextful_cli.settings import Home
from contextful_cli.tables import Table

MODES = ("legacy", "auto")
ASKED = {"table": "facts", "subject": "orion"}
INITIALIZE = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "initialize",
    "params": {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}},
}
CALL = {"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": {"name": "memory.recall", "arguments": ASKED}}
ACCEPT = {"accept": "application/json, text/event-stream", "content-type": "application/json"}


@pytest.fixture
def cited(home: Home, tables: list[Table]) -> list[dict]:
    """A person's row, and the citation of it."""
    file = home.root / "people.jsonl"
    file.write_text('{"id": "1", "name": "Mira"}\n')
    land.land(local_operator(home, tables), land.Request(table="people", source=str(file), run_id="r-1"))
    return [{"table": "people", "run": "r-1", "seq": 0}]


@pytest.fixture
def server(home: Home) -> Iterator[Served]:
    with served(home) as one:
        yield one


@asynccontextmanager
async def over_http(server: Process, given: str, mode: str) -> Any:
    http = httpx2.AsyncClient(headers={"authorization": f"Bearer {given}"})
    to = streamable_http_client(f"{server.url}/mcp", http_client=http)
    async with http, Client(to, mode=mode) as client:
        yield client


@asynccontextmanager
async def over_stdio(home: Home, given: str | None, mode: str, *options: str) -> Any:
    env = os.environ | {"CONTEXTFUL_HOME": str(home.root), "DBT_PROJECT_DIR": str(home.project)}
    env |= {"CONTEXTFUL_TOKEN": given} if given else {}
    command = StdioServerParameters(command=sys.executable, args=["-m", "contextful_cli.app", "mcp", *options], env=env)
    async with Client(stdio_client(command), mode=mode) as client:
        yield client


async def conversed(client: Client) -> None:
    """What every transport must do alike: list, answer, and refuse inside the result."""
    (tool,) = (await client.list_tools()).tools
    assert tool.name == "memory.recall"
    hints = tool.annotations
    assert (hints.read_only_hint, hints.destructive_hint) == (True, False)
    assert (hints.idempotent_hint, hints.open_world_hint) == (True, False)
    assert tool.title
    for word in ("suppressed", "predicate", "scope", "evidence", "observed_at"):
        assert word in tool.description
    Draft202012Validator.check_schema(tool.input_schema)
    assert not {"oneOf", "anyOf", "allOf"} & set(tool.input_schema)  # hosts refuse them at the top
    checked = Draft202012Validator(tool.output_schema)
    answer = await client.call_tool("memory.recall", ASKED)
    assert not answer.is_error
    assert [row[3] for row in answer.structured_content["rows"]] == ["Mira"]
    assert json.loads(answer.content[0].text) == answer.structured_content
    checked.validate(answer.structured_content)
    for arguments, identifier, status in (
        ({"table": "facts"}, "ArgumentMalformed", 400),
        (ASKED | {"subjects": ["orion"]}, "ArgumentMalformed", 400),
        (ASKED | {"sql": "select 1"}, "ArgumentMalformed", 400),
        (ASKED | {"limit": "2"}, "ArgumentMalformed", 400),
        ({}, "ArgumentMalformed", 400),
        (ASKED | {"observed_at": "now"}, "InstantMalformed", 400),
        (ASKED | {"table": "tastes"}, "EnforceUnknownRelation", 403),
        (ASKED | {"table": "people"}, "MemoryRecallNotClaims", 400),
    ):
        refused = await client.call_tool("memory.recall", arguments)
        assert refused.is_error
        inner = refused.structured_content
        assert set(inner) == {"code", "http", "identifier", "message"}
        assert (inner["identifier"], inner["http"]) == (identifier, status)
        assert json.loads(refused.content[0].text) == inner
        checked.validate(inner)
    several = await client.call_tool("memory.recall", {"table": "facts", "subjects": ["nobody", "orion"]})
    assert len(several.structured_content["rows"]) == 1
    assert (await client.call_tool("memory.write", {})).is_error


def run(work: Callable[[], Awaitable[Any]]) -> Any:
    return anyio.run(work)


@pytest.mark.parametrize("mode", MODES)
def test_over_stdio(home: Home, cited: list[dict], mode: str) -> None:
    with served(home) as one:
        one.write(claim=CLAIM | {"evidence": cited})
        mine = one.token

    async def ask() -> None:
        async with over_stdio(home, mine, mode) as client:
            await conversed(client)

    run(ask)
    entry = json.loads(lines(home)[-1])
    assert (entry["face"], entry["tool"], entry["on_behalf_of"]) == ("mcp", "memory.recall", "ann")


@pytest.mark.parametrize("mode", MODES)
def test_over_http(home: Home, cited: list[dict], mode: str) -> None:
    with served(home) as one:
        one.write(claim=CLAIM | {"evidence": cited})
        mine = one.token

    async def ask() -> None:
        async with over_http(server, mine, mode) as client:
            await conversed(client)

    with process(home) as server:
        run(ask)
        assert server.stop() == 0


def test_over_stdio_it_is_the_operators_without_a_token_and_names_can_do_without_dots(home: Home) -> None:
    async def ask() -> None:
        async with over_stdio(home, None, "legacy", "--underscores") as client:
            assert [tool.name for tool in (await client.list_tools()).tools] == ["memory_recall"]
            assert not (await client.call_tool("memory_recall", ASKED | {"table": "dated_facts"})).is_error
            assert (await client.call_tool("memory.recall", ASKED)).is_error

    run(ask)


def test_over_stdio_a_revocation_is_seen_by_the_next_call(home: Home) -> None:
    mine = token(home, read=("facts",), audience="local")

    async def ask() -> None:
        async with over_stdio(home, mine, "legacy") as client:
            assert not (await client.call_tool("memory.recall", ASKED)).is_error
            revocations.revoke(home, authenticate(home, mine, "local").chain[0])
            refused = await client.call_tool("memory.recall", ASKED)
            assert refused.structured_content["identifier"] == "CredentialRevoked"
            assert refused.structured_content["http"] == 401

    run(ask)


def test_a_credential_that_does_not_count_starts_nothing(home: Home) -> None:
    elsewhere = token(home, read=("facts",), audience="serve")
    command = [sys.executable, "-m", "contextful_cli.app", "mcp"]
    env = os.environ | {"CONTEXTFUL_TOKEN": elsewhere}
    ran = subprocess.run(command, env=env, capture_output=True, text=True, check=False, input="")
    assert (ran.returncode, ran.stdout) == (1, "")
    assert ran.stderr.startswith("CredentialAudience: ")


def test_stdout_holds_the_protocol_and_nothing_else(home: Home) -> None:
    command = [sys.executable, "-m", "contextful_cli.app", "mcp"]
    sent = [
        "no json",
        json.dumps(INITIALIZE),
        '{"jsonrpc": "2.0", "method": "notifications/initialized"}',
        json.dumps(CALL),
    ]
    popen = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    popen.stdin.write("\n".join(sent) + "\n")
    popen.stdin.flush()
    answers = []
    while not [one for one in answers if one.get("id") == 2]:
        answers.append(json.loads(popen.stdout.readline()))
    out, said = popen.communicate(timeout=30)
    assert out == ""
    assert popen.returncode == 0
    assert "orion" not in said


class TestPlainHttp:
    def test_who_is_let_in(self, server: Served, home: Home) -> None:
        for mine, identifier in (
            ("", "CredentialMissing"),
            ("x", "CredentialInvalid"),
            (writer_token(home, audience="local"), "CredentialAudience"),
            (writer_token(home, expires_at="2001-01-01T00:00:00Z"), "CredentialExpired"),
        ):
            answer = server.post("/mcp", INITIALIZE, mine, **ACCEPT)
            assert told(answer) == (401, identifier)
            assert answer.headers["www-authenticate"].startswith("Bearer")

    def test_a_page_elsewhere_is_refused(self, home: Home) -> None:
        with served(home, hosts=("memory.example",), origins=("https://app.example",)) as server:
            cases = {
                200: [{}, {"origin": "http://localhost:3000"}, {"host": "memory.example:80"}, {"host": "127.0.0.1:1"}],
                403: [{"origin": "https://evil.example"}, {"host": "evil.example"}, {"origin": "null"}, {"origin": ""},
                      {"origin": "http://localhost.evil.example"}, {"host": "localhost.evil.example"}],
            }  # fmt: skip
            cases[200].append({"origin": "https://app.example"})
            for status, headers in ((status, one) for status, some in cases.items() for one in some):
                assert server.post("/mcp", INITIALIZE, **ACCEPT | headers).status_code == status, headers

    def test_bodies(self, server: Served) -> None:
        assert told(server.post("/mcp", b" " * (2 * 1024 * 1024), **ACCEPT)) == (413, "RequestRefused")
        for body in (b"", b"{", b"[]", b"null", b"\xff", b"[" * 100_000, json.dumps([CALL] * 2).encode()):
            assert 400 <= server.post("/mcp", body, **ACCEPT).status_code < 500
        assert server.post("/mcp", CALL, **ACCEPT).json()["result"]["isError"] is False

    def test_odd_arguments_never_fail(self, server: Served) -> None:
        for arguments in (None, [], "x", {"table": {"$ne": 1}}, {"table": "x" * 100_000, "subject": "a"}):
            params = {"name": "memory.recall", "arguments": arguments}
            answer = server.post("/mcp", CALL | {"params": params}, **ACCEPT)
            assert answer.status_code < 500
            assert "rows" not in answer.text


def test_unknown_and_ungranted_tables_are_alike(server: Served) -> None:
    """In text and, over 200 calls each, in median time."""
    seconds: dict[str, list[float]] = {"tastes": [], "tastez": []}
    texts = set()
    for _ in range(200):
        for table, times in seconds.items():
            params = {"name": "memory.recall", "arguments": ASKED | {"table": table}}
            begun = time.perf_counter()
            answer = server.post("/mcp", CALL | {"params": params}, **ACCEPT)
            times.append(time.perf_counter() - begun)
            texts.add(answer.text.replace(table, "T"))
    assert len(texts) == 1
    known, unknown = (statistics.median(times) for times in seconds.values())
    assert known == pytest.approx(unknown, rel=0.1)
