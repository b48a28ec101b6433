"""POST /memory/claims: the order of its checks, the scope it binds, its retries and its faults."""

import itertools
import json
import statistics
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from granting import narrowed, token
from serving import CLAIM, SCOPE, WRITE, Served, served, stored, told, writer_token

from contextful_cli import lake, revise
from contextful_cli.credentials import revocations, tokens
from contextful_cli.credentials.authenticate import authenticate
from contextful_cli.errors import ContextfulError
from contextful_cli.settings import Home

MALFORMED = (400, "MemoryClaimMalformed")


@pytest.fixture
def server(home: Home) -> Iterator[Served]:
    with served(home) as one:
        yield one


def changed(body: dict[str, Any], path: str, value: Any) -> dict[str, Any]:
    """The body with one member changed, also one of its claim's (`claim.object`)."""
    name, _, inner = path.partition(".")
    return body | {name: body[name] | {inner: value}} if inner else body | {name: value}


class TestWhatLands:
    @pytest.mark.rule("revise.served-write")
    def test_a_claim_lands_as_the_commands_direct_write_would_land_it(self, server: Served, home: Home) -> None:
        answer = server.write()
        assert answer.status_code == 200
        got = answer.json()
        assert got["landed"] is True
        assert got["claim_id"].startswith("c-")
        row = server.recall().json()
        said = dict(zip(row["columns"], row["rows"][0], strict=True)) if row["rows"] else None
        # No evidence: stored, and withheld on recall.
        assert said is None
        assert row["contextful.recall"]["suppressed"]["MemoryEvidenceUnresolved"] == 1
        con = lake.open_lake(home)
        sql = "select tier, claim_id, grant_id, agent, _authored_by, _taint from landing.main.facts"
        assert con.execute(sql).fetchall() == [
            ("curated", got["claim_id"], authenticate(home, server.token, "serve").grant_id, None, "ann", None)
        ]
        con.close()

    @pytest.mark.rule("revise.served-write")
    def test_a_server_that_is_not_writable_takes_nothing(self, home: Home) -> None:
        with served(home, writable=False) as server:
            assert told(server.write()) == (403, "RequestRefused")
            assert server.recall().status_code == 200
        assert stored(home) == []

    @pytest.mark.rule("revise.served-write")
    def test_the_domain_refuses_under_its_own_identifiers(self, server: Served, home: Home) -> None:
        everything = token(home, task="t-1", read=("facts", "people"), write=("facts", "people"))
        cases = {
            "MemoryDirectWriteShapeRefused": WRITE | {"into": "people"},
            "MemoryClaimMalformed": changed(WRITE, "claim.confidence", 2),
        }
        for identifier, body in cases.items():
            assert told(server.post("/memory/claims", body, everything)) == (400, identifier)
        assert stored(home) == []

    @pytest.mark.rule("revise.served-scope")
    def test_the_scope_is_the_credentials_and_none_other(self, server: Served, home: Home) -> None:
        assert server.write().json()["scope"] == SCOPE == "console:ann:t-1"
        assert stored(home) == [("orion", "Mira", "console:ann:t-1")]


class TestScope:
    @pytest.mark.rule("revise.served-scope")
    @pytest.mark.parametrize(
        ("wish", "actor", "session"),
        [
            ({}, "bob", "t-1"),
            ({}, "Ann", "t-1"),
            ({}, "ann", "t-2"),
            ({}, "", "t-1"),
            ({}, "ann", ""),
            ({"task": None}, "ann", "t-1"),
            ({"task": None}, "ann", ""),
            ({"task": "a:b"}, "ann", "a:b"),
        ],
    )
    def test_it_must_be_the_tokens(self, server: Served, home: Home, wish: dict, actor: str, session: str) -> None:
        given = writer_token(home, **wish)
        answer = server.post("/memory/claims", WRITE | {"actor": actor, "session": session}, given)
        assert told(answer) == (403, "MemoryClaimScopeRefused")
        assert stored(home) == []

    @pytest.mark.rule("revise.served-scope")
    def test_an_operator_names_no_task_and_so_has_no_session(self, server: Served, home: Home) -> None:
        operator = tokens.mint(home, tokens.OPERATOR_BLOCK)
        answer = server.post("/memory/claims", WRITE | {"actor": "operator", "session": ""}, operator)
        assert told(answer) == (403, "MemoryClaimScopeRefused")


class TestMalformed:
    @pytest.mark.rule("revise.malformed-request")
    @pytest.mark.parametrize(
        "body",
        [
            b"",
            b"{",
            b"[]",
            b"null",
            b'"x"',
            b"\xff\xfe",
            json.dumps(WRITE).encode("utf-16"),
            b"\xef\xbb\xbf" + json.dumps(WRITE).encode(),
            b"[" * 100_000,
            json.dumps(WRITE).replace('"into"', '"into": "facts", "into"').encode(),
            json.dumps(WRITE).replace('"object"', '"object": "Mira", "object"').encode(),
            json.dumps(WRITE).replace("0.9", "NaN").encode(),
            json.dumps(WRITE).replace("0.9", "1e999").encode(),
            json.dumps(WRITE).replace("0.9", "9" * 5000).encode(),
            json.dumps(WRITE).replace("0.9", '"0.9"').encode(),
            json.dumps(WRITE | {"scope": SCOPE}).encode(),
            json.dumps(WRITE | {"observed_at": "2020-01-01T00:00:00Z"}).encode(),
            json.dumps(WRITE | {"into": None}).encode(),
            json.dumps(WRITE | {"claim": json.dumps(CLAIM)}).encode(),
            json.dumps(WRITE | {"claim": [CLAIM]}).encode(),
            *(json.dumps({name: value for name, value in WRITE.items() if name != left}).encode() for left in WRITE),
            json.dumps(WRITE | {"dedup_key": ""}).encode(),
            json.dumps(WRITE | {"dedup_key": "  \t"}).encode(),
            json.dumps(WRITE | {"dedup_key": 7}).encode(),
            json.dumps(changed(WRITE, "claim.scope", "mine")).encode(),
            json.dumps(changed(WRITE, "claim.scope", SCOPE)).encode(),
            json.dumps(changed(WRITE, "claim.scope", None)).encode(),
            json.dumps(changed(WRITE, "claim.valid_from", "2020-01-01T00:00:00Z")).encode(),
            json.dumps(changed(WRITE, "claim.object", " ")).encode(),
            json.dumps(changed(WRITE, "claim.object", "a\0b")).encode(),
            json.dumps(changed(WRITE, "claim.object", "\ud800")).encode(),
        ],
        ids=lambda body: body[:40].decode("latin-1"),
    )
    def test_it_refuses_and_stores_nothing(self, server: Served, home: Home, body: bytes) -> None:
        assert told(server.post("/memory/claims", body)) == MALFORMED
        assert stored(home) == []


class TestOrder:
    """Each request has two faults that are checked one after the other: the first one answers."""

    @pytest.mark.rule("revise.browser-request", "revise.served-scope", "revise.malformed-request")
    def test_of_two_adjacent_faults_the_first_answers(self, server: Served, home: Home) -> None:
        unreadable = token(home, task="t-1", read=("tastes",))
        faults = [
            ("MemoryClaimBrowserRefused", {"origin": "https://elsewhere.example"}, None, {}),
            ("CredentialInvalid", {}, "no token", {}),
            ("MemoryClaimMalformed", {}, None, {"more": 1}),
            ("MemoryClaimScopeRefused", {}, None, {"actor": "bob"}),
            ("MemoryClaimMalformed", {}, None, {"dedup_key": ""}),
            ("GrantWriteNotCovered", {}, unreadable, {}),
            ("MemoryClaimMalformed", {}, None, {"claim": CLAIM | {"object": ""}}),
        ]
        for identifier, headers, given, members in faults:
            alone = server.post("/memory/claims", WRITE | members, given, **headers)
            assert told(alone)[1] == identifier
        for (identifier, *first), (_, *second) in itertools.combinations(faults, 2):
            headers, members = first[0] | second[0], second[2] | first[2]
            answer = server.post("/memory/claims", WRITE | members, first[1] or second[1], **headers)
            assert told(answer)[1] == identifier, (first, second)
        assert stored(home) == []

    @pytest.mark.rule("revise.served-write")
    def test_grant_then_shape_then_claim_form_then_restated(self, server: Served, home: Home) -> None:
        wide = token(home, task="t-1", read=("facts", "people"), write=("facts", "people"))
        broken = {"claim": CLAIM | {"object": ""}}
        assert (
            told(server.post("/memory/claims", WRITE | broken | {"into": "tastes"}, wide))[1] == "GrantWriteNotCovered"
        )
        assert told(server.post("/memory/claims", WRITE | broken | {"into": "people"}, wide))[1] == (
            "MemoryDirectWriteShapeRefused"
        )
        assert server.write().json()["landed"] is True
        assert told(server.write(**broken)) == MALFORMED
        assert server.write().json()["landed"] is False


class TestBrowser:
    @pytest.mark.rule("revise.browser-request")
    @pytest.mark.parametrize("origin", ["https://evil.example", "null", "", "http://localhost"])
    @pytest.mark.parametrize("given", [None, "", "no token"])
    def test_any_origin_refuses_before_the_credential(
        self, server: Served, home: Home, origin: str, given: str | None
    ) -> None:
        answer = server.post("/memory/claims", WRITE, given, origin=origin)
        assert told(answer) == (403, "MemoryClaimBrowserRefused")
        assert stored(home) == []
        assert not [name for name in answer.headers if name.startswith("access-control")]

    def test_no_route_speaks_of_cross_origin_access(self, server: Served) -> None:
        for path in ("/memory/recall", "/healthz", "/memory/claims"):
            answer = server.http.options(path, headers={"origin": "https://evil.example"})
            assert not [name for name in answer.headers if name.startswith("access-control")]
            assert told(answer) == (405, "RequestRefused")


class TestDedup:
    @pytest.mark.rule("revise.served-dedup")
    def test_a_restatement_says_so_and_gives_the_scope(self, server: Served, home: Home) -> None:
        first, second = server.write().json(), server.write().json()
        assert first["landed"] is True
        assert second == {"landed": False, "scope": SCOPE, "claim_id": None}
        assert len(stored(home)) == 1

    @pytest.mark.rule("revise.served-dedup")
    def test_another_key_is_another_claim(self, server: Served, home: Home) -> None:
        one, other = server.write().json(), server.write(dedup_key="evt-2").json()
        assert one["claim_id"] != other["claim_id"]
        assert [other["landed"], len(stored(home))] == [True, 2]

    @pytest.mark.rule("revise.served-dedup")
    def test_eight_at_once_land_one(self, server: Served, home: Home) -> None:
        with ThreadPoolExecutor(8) as threads:
            answers = [one.json() for one in threads.map(lambda _: server.write(), range(8))]
        assert sorted(answer["landed"] for answer in answers) == [False] * 7 + [True]
        assert {answer["scope"] for answer in answers} == {SCOPE}
        assert stored(home) == [("orion", "Mira", SCOPE)]


class TestFaults:
    @pytest.mark.rule("revise.served-fault")
    @pytest.mark.parametrize(
        "fault",
        [
            ContextfulError("LakeBusy", "process 77 holds /secret/lake/lock"),
            ContextfulError("StorageFailed", "/secret"),
            OSError(28, "no space left", "/secret"),
            RuntimeError("/secret"),
            KeyError("/secret"),
        ],
        ids=lambda fault: type(fault).__name__ + str(fault)[:10],
    )
    def test_whatever_else_the_store_says_is_one_refusal(
        self, server: Served, home: Home, fault: Exception, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        def fail(*_: Any, **__: Any) -> None:
            raise fault

        with monkeypatch.context() as patched:
            patched.setattr(revise, "write_with", fail)
            answer = server.write()
        assert told(answer) == (503, "MemoryClaimWriteRefused")
        assert int(answer.headers["retry-after"]) >= 1
        assert "secret" not in answer.text
        assert stored(home) == []
        assert server.write().json()["landed"] is True

    @pytest.mark.rule("revise.served-fault")
    def test_a_lake_that_went_away(self, server: Served, home: Home) -> None:
        kept = home.clock.read_bytes()
        home.clock.unlink()
        assert told(server.write()) == (503, "MemoryClaimWriteRefused")
        assert told(server.recall()) == (503, "LakeVersion")
        assert told(server.http.get("/healthz")) == (503, "LakeVersion")
        home.clock.write_bytes(kept)
        assert server.write().json()["landed"] is True

    @pytest.mark.rule("revise.served-fault")
    def test_a_damaged_list_of_revocations_lets_nobody_in(self, server: Served, home: Home) -> None:
        home.revoked.write_text("damaged")
        home.revoked.chmod(0o600)
        assert told(server.write()) == (503, "MemoryClaimWriteRefused")
        assert told(server.recall()) == (503, "StorageFailed")


class TestCredentials:
    def test_each_refusal(self, server: Served, home: Home) -> None:
        revoked = writer_token(home)
        revocations.revoke(home, authenticate(home, revoked, "serve").chain[0])
        cases = {
            "": "CredentialMissing",
            "x" * 50_000: "CredentialInvalid",
            server.token[:-6] + "AAAAA=": "CredentialInvalid",
            writer_token(home, expires_at="2001-01-01T00:00:00Z"): "CredentialExpired",
            revoked: "CredentialRevoked",
            narrowed(revoked, read=("facts",)): "CredentialRevoked",
            writer_token(home, audience="local"): "CredentialAudience",
        }
        for path in ("/memory/claims", "/memory/recall"):
            for given, identifier in cases.items():
                answer = server.post(path, WRITE, given)
                assert told(answer) == (401, identifier)
                assert answer.headers["www-authenticate"].startswith("Bearer")
        assert stored(home) == []

    def test_other_schemes_are_no_credential(self, server: Served) -> None:
        for header in ("Basic x", f"Token {server.token}", server.token, "Bearer", "Bearer   "):
            assert told(server.http.post("/memory/claims", headers={"authorization": header})) == (
                401,
                "CredentialMissing",
            )

    def test_a_block_cannot_widen(self, server: Served, home: Home) -> None:
        wider = narrowed(writer_token(home, read=("people",), write=()), read=("facts",), write=("facts",))
        assert told(server.post("/memory/claims", WRITE, wider)) == (403, "GrantWriteNotCovered")

    def test_the_audience_of_this_server_is_taken(self, server: Served, home: Home) -> None:
        assert server.post("/memory/claims", WRITE, writer_token(home, audience="serve")).status_code == 200


def test_unknown_and_ungranted_tables_are_alike(server: Served, home: Home) -> None:
    """In status, text and, over 200 calls each, in median time."""
    assert server.write().status_code == 200
    seconds: dict[str, list[float]] = {"tastes": [], "tastez": []}
    texts = set()
    for _ in range(200):
        for table, times in seconds.items():
            begun = time.perf_counter()
            answer = server.write(into=table)
            times.append(time.perf_counter() - begun)
            assert told(answer) == (403, "GrantWriteNotCovered")
            texts.add(answer.text.replace(table, "T"))
    assert len(texts) == 1
    known, unknown = (statistics.median(times) for times in seconds.values())
    assert known == pytest.approx(unknown, rel=0.1)


@pytest.mark.parametrize(
    "text",
    [
        "'; drop table facts; --",
        "\"; attach '/tmp/x'; --",
        "x' or 1=1 --",
        "$1",
        "{{ 7*7 }}",
        "%s%n",
        "../../etc/passwd",
        "\u202egnirts",
        "😀" * 40,
        "ﬀ",
    ],
)
def test_sql_in_every_field_is_text(server: Served, home: Home, text: str) -> None:
    spiked = token(home, on_behalf_of=text, task="t-1", read=("facts", "people"), write=("facts",))
    claim = CLAIM | {"subject": text, "predicate": text, "object": text}
    body = {"into": "facts", "actor": text, "session": "t-1", "dedup_key": text, "claim": claim}
    answer = server.post("/memory/claims", body, spiked)
    assert answer.json() == {"landed": True, "scope": f"console:{text}:t-1", "claim_id": answer.json()["claim_id"]}
    assert told(server.post("/memory/claims", body | {"into": text}, spiked)) == (403, "GrantWriteNotCovered")
    evidence = [{"table": text, "run": text, "seq": 0}]
    cited = body | {"dedup_key": "2", "claim": claim | {"evidence": evidence}}
    assert server.post("/memory/claims", cited, spiked).status_code == 200
    assert stored(home) == [(text, text, f"console:{text}:t-1")] * 2
