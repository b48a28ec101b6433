"""The HTTP face beside its write route: recall, limits, the documents, and a real process from start to end."""

import json
import os
import re
import shutil
import socket
import statistics
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path
from typing import Any

import httpx
import pytest
import schemathesis
import yaml
from granting import token
from hypothesis import HealthCheck, given, settings
from ledgers import lines
from serving import CLAIM, WRITE, Process, Served, process, served, stored, told, waited, writer_token

from contextful_cli import lake, land, recall
from contextful_cli.caller import Caller, local_operator
from contextful_cli.credentials import revocations
from contextful_cli.credentials.authenticate import authenticate
from contextful_cli.reader import Reader
from contextful_cli.serve import project, run
from contextful_cli.serve.limits import Limits
from contextful_cli.settings import Home
from contextful_cli.tables import Table

SQL = [
    "'; drop table facts; --",
    '"',
    "a.b",
    "facts; select 1",
    "$1",
    "fàcts",
    "facts\u200b",
    "main.facts",
    "FACTS",
    "",
]


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


def entries(home: Home) -> list[dict[str, Any]]:
    return [json.loads(line) for line in lines(home)]


class TestRecall:
    @pytest.mark.rule("recall.usage-ledger")
    def test_the_answer_is_the_one_in_process_and_is_recorded(
        self, server: Served, home: Home, tables: list[Table], cited: list[dict]
    ) -> None:
        claim_id = server.write(claim=CLAIM | {"evidence": cited}).json()["claim_id"]
        asked = {"observed_at": "2999-01-01"}
        got = server.recall(**asked).json()
        credential = authenticate(home, server.token, "serve")
        with Reader(Caller(home, tables, credential)) as reader:
            assert got == recall.recall(reader, recall.Request("facts", "orion", **asked))
        assert [row[0] for row in got["rows"]] == [claim_id]
        entry = entries(home)[-1]
        assert entry["contextful.memory.claims"] == [claim_id]
        assert [entry[name] for name in ("face", "tool", "table", "outcome", "grant_id", "on_behalf_of", "task")] == [
            "http", "memory.recall", "facts", "answered", credential.grant_id, "ann", "t-1",
        ]  # fmt: skip

    def test_several_subjects(self, server: Served, cited: list[dict]) -> None:
        for name in ("orion", "vega"):
            server.write(dedup_key=name, claim=CLAIM | {"subject": name, "evidence": cited})
        body = {"table": "facts", "subjects": ["vega", "nobody", "orion"]}
        answer = server.post("/memory/recall", body).json()
        assert [row[1] for row in answer["rows"]] == ["vega", "orion"]

    @pytest.mark.parametrize(
        ("arguments", "refusal"),
        [
            ({"subject": None}, (400, "ArgumentMalformed")),
            ({"subjects": ["a"]}, (400, "ArgumentMalformed")),
            ({"subject": None, "subjects": []}, (400, "ArgumentMalformed")),
            ({"subject": None, "subjects": ["a"] * 65}, (400, "ArgumentMalformed")),
            ({"subject": 7}, (400, "ArgumentMalformed")),
            ({"limit": 0}, (400, "ArgumentMalformed")),
            ({"limit": "3"}, (400, "ArgumentMalformed")),
            ({"limit": True}, (400, "ArgumentMalformed")),
            ({"internals": 1}, (400, "ArgumentMalformed")),
            ({"more": 1}, (400, "ArgumentMalformed")),
            ({"subject": "\ud800"}, (400, "ArgumentMalformed")),
            ({"subject": "a\0"}, (400, "ArgumentMalformed")),
            ({"observed_at": "yesterday"}, (400, "InstantMalformed")),
            ({"table": "people"}, (400, "MemoryRecallNotClaims")),
            ({"table": "tastes"}, (403, "EnforceUnknownRelation")),
            ({"table": "\ud800"}, (403, "EnforceUnknownRelation")),
        ],
        ids=str,
    )
    def test_refusals_are_recorded_too(
        self, server: Served, home: Home, arguments: dict, refusal: tuple[int, str]
    ) -> None:
        assert told(server.recall(**arguments)) == refusal
        assert entries(home)[-1]["outcome"] == refusal[1]

    @pytest.mark.parametrize("table", SQL)
    def test_odd_table_names_are_unknown(self, server: Served, table: str) -> None:
        assert told(server.recall(table=table)) == (403, "EnforceUnknownRelation")

    @pytest.mark.parametrize("text", SQL)
    def test_sql_in_filters_is_text(self, server: Served, text: str) -> None:
        answer = server.recall(subject=text, scope=text, predicate=text, internals=True)
        assert answer.json()["rows"] == []
        assert text not in answer.json()["contextful.internals"]["sql"] or not text

    def test_bodies_that_are_none(self, server: Served) -> None:
        for body in (b"", b"{", b"[1]", b"null", b'{"table": "a", "table": "b"}', b"\xff"):
            assert told(server.post("/memory/recall", body)) == (400, "ArgumentMalformed")

    def test_no_answer_without_its_entry(self, server: Served, home: Home) -> None:
        server.recall()
        (home.audit / "ledger-000001.jsonl").unlink()
        (home.audit / "ledger-000001.jsonl").mkdir()
        answer = server.recall()
        assert told(answer) == (503, "AuditEntryUnpersisted")
        assert "rows" not in answer.text

    def test_a_row_that_the_caller_may_not_read_shows_nowhere(
        self, server: Served, home: Home, cited: list[dict]
    ) -> None:
        server.write(claim=CLAIM | {"evidence": cited})
        blind = token(home, read=("facts",))
        answer = server.post("/memory/recall", {"table": "facts", "subject": "orion"}, blind)
        assert answer.json()["rows"] == []
        elsewhere = token(home, read=("facts", "people"), filters=("facts.scope=other",))
        answer = server.post("/memory/recall", {"table": "facts", "subject": "orion"}, elsewhere).json()
        assert answer["contextful.recall"]["suppressed"] == {
            "MemoryEvidenceUnresolved": 0,
            "MemoryEvidenceOverflow": 0,
        }
        assert answer["rows"] == []

    def test_a_kept_session_serves_equal_rights_under_each_ones_own_name(self, server: Served, home: Home) -> None:
        for name in ("ann", "bob"):
            mine = token(home, on_behalf_of=name, read=("facts",))
            assert server.post("/memory/recall", {"table": "facts", "subject": "x"}, mine).status_code == 200
            assert entries(home)[-1]["on_behalf_of"] == name
        assert len(server.service.readers.idle) == 1

    def test_sessions_are_few_and_asking_for_unknown_tables_evicts_none(self, home: Home) -> None:
        with served(home, limits=Limits(sessions=2)) as server:
            assert server.recall().status_code == 200
            for name in ("a", "b", "c"):
                server.recall(table=name)
            assert len(server.service.readers.idle) == 1
            for name in ("ann", "bob", "cem"):
                mine = token(home, read=("facts", "people"), masks=("people.name",), filters=(f"facts.scope={name}",))
                server.post("/memory/recall", {"table": "facts", "subject": "x"}, mine)
            assert len(server.service.readers.idle) == 2


class TestWhatChangesOnDisk:
    def test_a_table_declared_while_it_runs_is_served_and_a_slip_stops_nothing(
        self, home: Home, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(project, "LOOK_SECONDS", 0.0)
        mine = Home(project=shutil.copytree(home.project, tmp_path / "project"), root=home.root)
        declared = mine.project / "models/landing/shapes.yml"
        more = mine.project / "models/landing/more.yml"
        with served(mine) as server:
            wide = token(mine, read=("facts", "more_facts"))
            asked = {"table": "more_facts", "subject": "orion"}
            assert told(server.post("/memory/recall", asked, wide)) == (403, "EnforceUnknownRelation")
            document = yaml.safe_load(declared.read_text())
            (source,) = document["sources"]
            source["tables"] = [one | {"name": "more_facts"} for one in source["tables"] if one["name"] == "facts"]
            more.write_text(yaml.safe_dump(document))
            assert server.post("/memory/recall", asked, wide).json()["rows"] == []
            more.write_text("sources: [{name: landing, tables: [{}]}]")
            assert server.post("/memory/recall", asked, wide).json()["rows"] == []

    @pytest.mark.parametrize("what", ["functions", "pepper"])
    def test_sessions_laid_before_are_not_used_again(self, server: Served, home: Home, what: str) -> None:
        server.recall()
        server.write()
        kept = [server.service.readers.idle, server.service.writers.idle]
        assert [len(idle) for idle in kept] == [1, 1]
        os.utime(getattr(home, what))
        server.service.sweep()
        assert [len(idle) for idle in kept] == [0, 0]
        assert server.recall().status_code == server.write().status_code == 200


def test_unknown_and_ungranted_tables_are_alike(server: Served) -> None:
    """In status, text and, over 200 calls each, in median time."""
    seconds: dict[str, list[float]] = {"tastes": [], "tastez": []}
    texts = set()
    for _ in range(200):
        for table, times in seconds.items():
            begun = time.perf_counter()
            answer = server.recall(table=table)
            times.append(time.perf_counter() - begun)
            texts.add((answer.status_code, answer.text.replace(table, "T")))
    assert len(texts) == 1
    known, unknown = (statistics.median(times) for times in seconds.values())
    assert known == pytest.approx(unknown, rel=0.1)


class TestDocuments:
    def test_what_there_is_and_what_not(self, server: Served) -> None:
        for path in ("/nothing", "/", "/memory", "/memory/claims/", "/docs/../x", "/mcp/x"):
            assert told(server.http.get(path)) == (404, "RequestRefused")
        for method, path in (
            ("GET", "/memory/claims"),
            ("PUT", "/memory/recall"),
            ("POST", "/healthz"),
            ("GET", "/mcp"),
        ):
            answer = server.http.request(method, path, headers={"authorization": f"Bearer {server.token}"})
            assert told(answer) == (405, "RequestRefused")

    def test_the_page_asks_for_nothing_elsewhere(self, server: Served) -> None:
        page = server.http.get("/docs")
        assert page.headers["content-security-policy"].startswith("default-src 'self'")
        asked = re.findall(r'(?:src|href)="([^"]+)"', page.text)
        assert not [one for one in asked if "//" in one]
        for path in (one for one in asked if not one.startswith("data:")):
            assert server.http.get(f"/{path}").status_code == 200

    def test_health_needs_no_credential(self, server: Served, home: Home) -> None:
        assert server.http.get("/healthz").json() == {"status": "ok"}

    def test_a_catalog_that_cannot_be_read_is_no_health(self, home: Home) -> None:
        with served(home) as server:
            home.catalog.write_bytes(b"SQLite format 3\0" + os.urandom(4096))
            assert told(server.http.get("/healthz")) == (503, "StorageFailed")

    def test_metrics_name_no_table_and_no_caller(self, server: Served) -> None:
        server.recall()
        server.http.get("/some/made/up/path")
        text = server.http.get("/metrics").text
        assert 'contextful_requests_total{route="/memory/recall",status="200"} 1.0' in text
        assert 'contextful_requests_total{route="other",status="404"} 1.0' in text
        assert 'contextful_sessions_open{kind="reader"} 1.0' in text
        assert "process_resident_memory_bytes" in text
        assert not re.search("facts|orion|ann|made", text)


class TestLimits:
    def test_a_body_that_is_too_long(self, server: Served, home: Home) -> None:
        for size in (1024 * 1024 + 1, 2 * 1024 * 1024, 6 * 1024 * 1024):
            assert told(server.post("/memory/claims", b" " * size)) == (413, "RequestRefused")
            assert told(server.post("/memory/recall", b" " * size)) == (413, "RequestRefused")
        exact = json.dumps(WRITE).encode().ljust(1024 * 1024)
        assert server.post("/memory/claims", exact).json()["landed"] is True

    def test_too_many_at_once(self, home: Home) -> None:
        with served(home, limits=Limits(workers=1, queue=1)) as server:
            kept = server.service.readers.of

            def slow(*arguments: Any) -> Any:
                time.sleep(0.3)
                return kept(*arguments)

            server.service.readers.of = slow
            with ThreadPoolExecutor(6) as threads:
                answers = list(threads.map(lambda _: server.recall(), range(6)))
            refused = [answer for answer in answers if answer.status_code != 200]
            assert 0 < len(refused) <= 4
            assert {told(answer) for answer in refused} == {(503, "ServerOverloaded")}
            assert all(int(answer.headers["retry-after"]) >= 1 for answer in refused)
            assert f"contextful_overloads_total {len(refused)}.0" in server.http.get("/metrics").text
            assert server.http.get("/healthz").status_code == 200

    @pytest.mark.parametrize("length", [1, 600, 100_000])
    @pytest.mark.parametrize("letter", ["a", "ü", "😀", '"', "\x01", "\ud800"])
    def test_an_error_body_has_at_most_512_bytes(self, length: int, letter: str) -> None:
        from contextful_cli.errors import ContextfulError
        from contextful_cli.serve import errors

        answer = errors.response(ContextfulError("ArgumentMalformed", letter * length))
        assert len(answer.body) <= 512
        assert json.loads(answer.body)["error"]["message"]


def head(path: str, mine: str, *more: str) -> bytes:
    lines = [f"POST {path} HTTP/1.1", "Host: localhost", f"Authorization: Bearer {mine}", *more, "", ""]
    return "\r\n".join(lines).encode()


def answered(connection: socket.socket) -> bytes:
    """All that comes until the server closes."""
    found = b""
    while part := connection.recv(65536):
        found += part
    return found


def listens(server: Process) -> bool:
    try:
        server.connect().close()
    except ConnectionRefusedError:
        return False
    return True


class TestProcess:
    def test_slow_and_endless_clients(self, home: Home) -> None:
        with process(home, "--body-seconds", "1") as server:
            mine = writer_token(home)
            with closing(server.connect()) as silent:
                assert answered(silent) == b""
            with closing(server.connect()) as half:
                half.sendall(b"POST /memory/claims HTTP/1.1\r\nHost: x\r\n")
                assert answered(half) == b""
            with closing(server.connect()) as slow:
                slow.sendall(head("/memory/claims", mine, "Content-Length: 100") + b"{")
                assert b"408" in answered(slow).split(b"\r\n")[0]
            with closing(server.connect()) as endless:
                endless.sendall(head("/memory/claims", mine, "Transfer-Encoding: chunked"))
                chunk = b"10000\r\n" + b" " * 0x10000 + b"\r\n"
                for _ in range(20):
                    endless.sendall(chunk)
                endless.sendall(b"0\r\n\r\n")
                assert b"413" in endless.recv(65536).split(b"\r\n")[0]
            assert httpx.get(f"{server.url}/healthz").status_code == 200
            assert server.stop() == 0
        assert stored(home) == []

    def test_sigterm_lets_a_write_end_and_the_log_holds_nothing_of_it(self, home: Home) -> None:
        mine = writer_token(home)

        def write() -> httpx.Response:
            headers = {"authorization": f"Bearer {mine}"}
            return httpx.post(f"{server.url}/memory/claims", json=WRITE, headers=headers, timeout=60)

        with process(home) as server, ThreadPoolExecutor(1) as thread:
            with lake.hold(home, "a test"):
                sent = thread.submit(write)
                waited(lambda: "in_flight 2.0" in httpx.get(f"{server.url}/metrics").text)
                server.popen.terminate()
                waited(lambda: not listens(server))
                assert (server.popen.poll(), sent.done()) == (None, False)
            assert sent.result().json()["landed"] is True
            assert server.stop() == 0
        assert len(stored(home)) == 1
        said = "\n".join(server.said)
        assert not [word for word in (mine, "orion", "Mira", "ann", "facts") if word in said]

    def test_revocation_is_seen_at_once_and_other_processes_write_beside_it(self, home: Home) -> None:
        mine = writer_token(home)
        headers = {"authorization": f"Bearer {mine}"}
        command = [sys.executable, "-m", "contextful_cli.app", "memory", "write", "--into", "facts", "--claim"]
        with process(home) as one, process(home) as other:
            landed = 0
            for number in range(3):
                for server in (one, other):
                    body = WRITE | {"dedup_key": f"{number} {server.url}"}
                    landed += httpx.post(f"{server.url}/memory/claims", json=body, headers=headers).json()["landed"]
                ran = subprocess.run(
                    [*command, json.dumps(CLAIM | {"object": str(number)})], check=True, capture_output=True, text=True
                )
                landed += json.loads(ran.stdout)["landed"]
            assert landed == len(stored(home)) == 9
            asked = {"table": "facts", "subject": "orion"}
            answers = [httpx.post(f"{s.url}/memory/recall", json=asked, headers=headers).json() for s in (one, other)]
            assert answers[0] == answers[1]
            revocations.revoke(home, authenticate(home, mine, "serve").chain[0])
            refused = httpx.post(f"{one.url}/memory/recall", json=asked, headers=headers)
            assert told(refused) == (401, "CredentialRevoked")
            assert [one.stop(), other.stop(2)] == [0, 0]

    def test_answers_do_not_wait_for_the_clients_ack(self) -> None:
        with (
            closing(run._listen("127.0.0.1", 0)) as listening,
            closing(socket.create_connection(listening.getsockname())),
        ):
            connection, _ = listening.accept()
            with closing(connection):
                assert connection.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY) == 1

    def test_a_port_that_is_taken_refuses(self, home: Home, cli: Any) -> None:
        with closing(socket.create_server(("127.0.0.1", 0))) as taken:
            ran = cli("serve", "--port", str(taken.getsockname()[1]))
        assert (ran.code, ran.out, ran.err.partition(":")[0]) == (1, "", "RequestRefused")


def test_reading_on_the_command_line_imports_no_server() -> None:
    """Their imports would take longer than the read."""
    heavy = ("starlette", "fastapi", "mcp", "pydantic", "uvicorn", "httpx", "prometheus_client", "anyio")
    code = (
        "import sys; from contextful_cli import app; app._register(); "
        "from contextful_cli import caller, output, reads, recall, reader; "
        "from contextful_cli.credentials import tokens; "
        f"print([name for name in {heavy!r} if name in sys.modules])"
    )
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert ran.stdout.strip() == "[]"


def identifiers() -> set[str]:
    """Those of the contract that these routes can answer with."""
    from contextful_cli.serve import errors

    faults = {"MemoryClaimWriteRefused", "ServerOverloaded", "AuditEntryUnpersisted", "StorageFailed", "LakeBusy"}
    return faults | {name for names in errors.STATUSES.values() for name in names}


@pytest.mark.parametrize("mode", ["positive", "negative"])
@pytest.mark.parametrize("has_token", [True, False])
def test_the_document_and_the_server_agree(server: Served, mode: str, has_token: bool) -> None:
    """schemathesis: requests made from the document, sound and unsound, with and without a token."""
    schema = schemathesis.openapi.from_dict(server.http.get("/openapi.json").json())
    headers = {"authorization": f"Bearer {server.token}"} if has_token else {}

    def ask(case: schemathesis.Case) -> None:
        sent = case.as_transport_kwargs(base_url="http://localhost")
        body = json.dumps(sent["json"]).encode() if "json" in sent else sent.get("data") or b""
        answer = server.http.request(case.method, case.formatted_path, content=body, headers=headers)
        assert str(answer.status_code) in case.operation.definition.raw["responses"], answer.text
        if answer.status_code != 200:
            assert told(answer)[1] in identifiers()

    asked = 0
    for found in schema.get_all_operations():
        operation = found.ok()
        if mode == "negative" and operation.method == "get":
            continue  # takes nothing that could be wrong
        cases = operation.as_strategy(generation_mode=schemathesis.GenerationMode(mode))
        few = settings(max_examples=40, deadline=None, suppress_health_check=list(HealthCheck), database=None)
        few(given(cases)(ask))()
        asked += 1
    assert asked >= 2
