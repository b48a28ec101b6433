"""Tokens: what they grant, how they narrow, and every way in which one is refused."""

import base64
import json
import stat
import subprocess
import sys
import time
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from biscuit_auth import Biscuit, BiscuitBuilder, BlockBuilder, DataLogError, KeyPair, UnverifiedBiscuit
from granting import caller_of, narrowed, token
from hypothesis import given
from hypothesis import strategies as st

from contextful_cli.credentials import revocations, roots, tokens, wishes
from contextful_cli.credentials.authenticate import authenticate, current
from contextful_cli.credentials.blocks import Block
from contextful_cli.credentials.credential import Credential
from contextful_cli.credentials.rights import OPERATOR, Rights
from contextful_cli.errors import ContextfulError
from contextful_cli.settings import Home

# Blocks that say something else than ours do, or nothing that we know.
HOSTILE = (
    "operator(true)",
    'on_behalf_of("boss")',
    'right($t, "read") <- right($t, "write")',
    'right($t, "read") <- right($t, "read") trusting authority, previous',
    'masks("facts", "object")',
    'mask("facts.object")',
    'right("a", "b", "c")',
    'right("facts", "admin")',
    'root("ed25519/00")',
    "expires_at(2001-01-01T00:00:00Z)",
    "expires_at(5)",
    'expires_at("x")',
    "expires_at({1, 2})",
    'meant_for("other")',
    'mask({"a": 1}, "x")',
    'right([1], "read")',
    'right(null, "read")',
    'right(true, "read")',
    'right(hex:61, "read")',
    'mask("facts", "a\\"); mask(\\"b")',
    'task("a\nb")',
    'task("%00")',
    'task("%zz")',
    'task("a"); task("b")',
    'check if operation("read")',
    'check if audience("local")',
    "check if true",
    "check all time($t), $t < 2090-01-01T00:00:00Z",
    "reject if false",
    "check if time($t), $t < 2090-01-01T00:00:00Z or true",
    "check if time($t), $u < 2090-01-01T00:00:00Z, time($u)",
)


def accepted(home: Home, given: str, audience: str = "local") -> Credential:
    return authenticate(home, given, audience)


def refusal(home: Home, given: str, audience: str = "local") -> str:
    with pytest.raises(ContextfulError) as refused:
        authenticate(home, given, audience)
    assert given not in refused.value.message or not given
    return refused.value.identifier


def root(home: Home) -> Any:
    return roots.signing_key(home)[1]


class TestWhatATokenSays:
    def test_rights_members_and_chain(self, home: Home) -> None:
        made = token(
            home,
            on_behalf_of="Ann Ümlaut 雪",
            agent="pl\"an'ner",
            task="t-1",
            host="h",
            read=("facts", "people"),
            write=("facts",),
            erase=("tastes",),
            masks=("people.name",),
            filters=("facts.scope=a", "facts.scope=b; right(x)", "facts.subject=ø"),
        )
        got = accepted(home, made)
        assert got.rights.operations == {
            ("facts", "read"),
            ("people", "read"),
            ("facts", "write"),
            ("tastes", "erase"),
        }
        assert got.rights.masks == {("people", "name")}
        assert got.rights.filters == {
            ("facts", "scope", frozenset({"a", "b; right(x)"})),
            ("facts", "subject", frozenset({"ø"})),
        }
        assert (got.on_behalf_of, got.agent, got.task, got.host) == ("Ann Ümlaut 雪", "pl\"an'ner", "t-1", "h")
        assert not got.rights.is_operator
        assert got.chain == tuple(UnverifiedBiscuit.from_base64(made).revocation_ids)
        assert got.grant_id == got.chain[-1]

    def test_nothing_named_grants_nothing(self, home: Home) -> None:
        got = accepted(home, token(home))
        assert got.rights == Rights()
        assert not any(got.rights.may(what, "facts") for what in ("read", "write", "erase"))

    def test_the_operators_may_do_everything(self, home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.delenv("CONTEXTFUL_TOKEN", raising=False)
        got = current(home)
        assert got.rights == OPERATOR
        assert (got.on_behalf_of, got.agent, got.task) == ("operator", None, None)

    def test_the_environments_token_comes_first(self, home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("CONTEXTFUL_TOKEN", token(home, read=("facts",)))
        assert current(home).rights.operations == {("facts", "read")}

    def test_an_empty_one_makes_no_operator(self, home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
        for empty in ("", " "):
            monkeypatch.setenv("CONTEXTFUL_TOKEN", empty)
            with pytest.raises(ContextfulError, match="CredentialMissing"):
                current(home)

    def test_neither_refuses(self, home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.delenv("CONTEXTFUL_TOKEN", raising=False)
        home.operator_token.unlink()
        with pytest.raises(ContextfulError, match="CredentialMissing"):
            current(home)


class TestRefusals:
    @pytest.mark.parametrize("bad", ["", "x", "===", "A" * 100, "é", "\n", "Bearer x", "A" * 100_000])
    def test_bytes_that_are_no_token(self, home: Home, bad: str) -> None:
        assert refusal(home, bad) == "CredentialInvalid"

    @given(st.text(max_size=40))
    def test_any_text(self, bad: str) -> None:
        home = self._home
        with pytest.raises(ContextfulError, match="CredentialInvalid"):
            authenticate(home, bad, "local")

    @pytest.fixture(autouse=True)
    def _keep(self, compiled: Home) -> None:
        type(self)._home = compiled

    def test_every_changed_byte(self, home: Home) -> None:
        raw = bytearray(base64.urlsafe_b64decode(token(home, read=("facts",))))
        for place in range(len(raw)):
            forged = bytearray(raw)
            forged[place] ^= 1
            text = base64.urlsafe_b64encode(bytes(forged)).decode()
            with pytest.raises(ContextfulError) as refused:
                authenticate(home, text, "local")
            assert refused.value.identifier == "CredentialInvalid"

    def test_another_roots(self, home: Home) -> None:
        builder = BiscuitBuilder('operator(true); right("facts", "read")')
        builder.set_root_key_id(1)
        assert refusal(home, builder.build(KeyPair().private_key).to_base64()) == "CredentialInvalid"

    @pytest.mark.parametrize("root_id", [None, 0, 2, 4_000_000])
    def test_an_unknown_root_id(self, home: Home, root_id: int | None) -> None:
        builder = BiscuitBuilder('right("facts", "read")')
        if root_id is not None:
            builder.set_root_key_id(root_id)
        assert refusal(home, builder.build(root(home)).to_base64()) == "CredentialInvalid"

    def test_expired(self, home: Home) -> None:
        past = wishes.Wish(on_behalf_of="ann", expires_at="2020-01-01T00:00:00Z")
        assert refusal(home, tokens.mint(home, wishes.block(past))) == "CredentialExpired"

    def test_it_expires_while_it_is_used(self, home: Home) -> None:
        soon = datetime.now(UTC) + timedelta(seconds=2)
        made = tokens.mint(home, Block(on_behalf_of="ann", expires_at=soon.replace(microsecond=0)))
        assert accepted(home, made).expires_at == soon.strftime("%Y-%m-%dT%H:%M:%S.000000Z")
        time.sleep(2.1)
        assert refusal(home, made) == "CredentialExpired"

    def test_another_audience(self, home: Home) -> None:
        made = token(home, audience="server-a")
        assert accepted(home, made, "server-a").audience == "server-a"
        assert refusal(home, made, "server-b") == refusal(home, made, "local") == "CredentialAudience"

    def test_revoked_by_any_link_of_its_chain(self, home: Home) -> None:
        made = token(home, read=("facts",))
        child = narrowed(made, masks=("facts.object",))
        grandchild = narrowed(child, task="t")
        other = token(home, read=("facts",))
        assert revocations.revoke(home, accepted(home, child).grant_id)
        assert refusal(home, child) == refusal(home, grandchild) == "CredentialRevoked"
        assert accepted(home, made).rights.may("read", "facts")
        assert revocations.revoke(home, accepted(home, made).grant_id)
        assert refusal(home, made) == "CredentialRevoked"
        assert accepted(home, other).rights.may("read", "facts")

    def test_revoking_twice_is_no_news(self, home: Home) -> None:
        made = accepted(home, token(home)).grant_id
        assert [revocations.revoke(home, made), revocations.revoke(home, made)] == [True, False]
        assert stat.S_IMODE(home.revoked.stat().st_mode) == 0o600

    def test_a_lost_list_of_revocations_takes_no_token(self, home: Home) -> None:
        home.revoked.unlink()
        assert refusal(home, token(home)) == "StorageFailed"
        tokens.ensure(home)
        assert accepted(home, token(home))

    def test_a_damaged_list_of_revocations_takes_no_token(self, home: Home) -> None:
        revocations.revoke(home, accepted(home, token(home)).grant_id)
        home.revoked.write_text(home.revoked.read_text()[:-9])
        assert refusal(home, token(home)) == "StorageFailed"

    @pytest.mark.parametrize(
        "damage", ["", "[]", "{}", "[{}]", '[{"id": 1, "public": "00", "secret": "00", "until": null}]']
    )
    def test_damaged_roots_take_no_token(self, home: Home, damage: str) -> None:
        made = token(home)
        home.root_keys.write_text(damage)
        assert refusal(home, made) == "StorageFailed"

    @pytest.mark.parametrize("name", ["root_keys", "operator_token", "revoked"])
    def test_secrets_open_to_others_are_not_used(self, home: Home, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.delenv("CONTEXTFUL_TOKEN", raising=False)
        file: Path = getattr(home, name)
        file.touch(mode=0o600)
        file.chmod(0o644)
        with pytest.raises(ContextfulError, match=r"StorageFailed.*chmod 600"):
            current(home)


class TestNarrowing:
    def test_rights_are_those_of_both(self, home: Home) -> None:
        made = token(home, read=("facts", "people"), write=("facts",))
        got = accepted(home, narrowed(made, read=("facts", "odds"), write=("people",)))
        assert got.rights.operations == {("facts", "read")}

    def test_a_block_without_rights_leaves_them(self, home: Home) -> None:
        made = token(home, read=("facts",), write=("facts",))
        got = accepted(home, narrowed(made, masks=("facts.object",), task="t", audience="local"))
        assert got.rights.operations == {("facts", "read"), ("facts", "write")}
        assert (got.rights.masks, got.task, got.audience) == ({("facts", "object")}, "t", "local")

    def test_masks_add_up_and_filters_all_hold(self, home: Home) -> None:
        made = token(home, read=("facts",), masks=("facts.object",), filters=("facts.scope=a", "facts.scope=b"))
        got = accepted(home, narrowed(made, masks=("facts.agent",), filters=("facts.scope=b", "facts.scope=c")))
        assert got.rights.masks == {("facts", "object"), ("facts", "agent")}
        values = [one for _, _, one in got.rights.filters]
        assert sorted(map(sorted, values)) == [["a", "b"], ["b", "c"]]

    def test_the_nearest_expiry_counts(self, home: Home) -> None:
        made = token(home, expires_at="2090-01-01T00:00:00Z")
        assert accepted(home, narrowed(made, expires_at="2080-01-01T00:00:00Z")).expires_at.startswith("2080")
        assert accepted(home, narrowed(made, expires_at="2095-01-01T00:00:00Z")).expires_at.startswith("2090")
        assert refusal(home, narrowed(made, expires_at="2020-01-01T00:00:00Z")) == "CredentialExpired"

    def test_two_audiences_fit_nowhere(self, home: Home) -> None:
        made = narrowed(token(home, audience="a"), audience="b")
        assert refusal(home, made, "a") == refusal(home, made, "b") == "CredentialInvalid"

    def test_a_narrowed_operator_is_none(self, home: Home) -> None:
        made = home.operator_token.read_text().strip()
        for wish in ({"read": ("facts",)}, {"masks": ("facts.object",)}, {"filters": ("facts.scope=a",)}):
            assert not accepted(home, narrowed(made, **wish)).rights.is_operator
        assert accepted(home, narrowed(made, expires_in="1h")).rights == OPERATOR
        assert accepted(home, narrowed(made, read=("facts",))).rights.operations == {("facts", "read")}

    @pytest.mark.parametrize("name", ["task", "host"])
    def test_a_member_once_named_stays(self, home: Home, name: str) -> None:
        made = token(home, **{name: "first"})
        assert getattr(accepted(home, narrowed(made, **{name: "first"})), name) == "first"
        assert refusal(home, narrowed(made, **{name: "second"})) == "CredentialInvalid"
        assert refusal(home, narrowed(narrowed(token(home), **{name: "a"}), **{name: "b"})) == "CredentialInvalid"

    def test_nobody_appends_for_whom_it_stands(self, home: Home) -> None:
        assert refusal(home, narrowed(token(home, on_behalf_of="ann"), on_behalf_of="boss")) == "CredentialInvalid"

    @pytest.mark.parametrize("is_signed", [False, True])
    @pytest.mark.parametrize("source", HOSTILE)
    def test_what_is_no_statement_of_ours_refuses(self, home: Home, source: str, is_signed: bool) -> None:
        made = token(home, read=("facts",))
        append = appended if is_signed else appended_unsigned
        try:
            hostile = append(home, made, source)
        except (DataLogError, TypeError, ValueError):
            pytest.skip("the library makes no such block")
        assert refusal(home, hostile) == "CredentialInvalid"
        with pytest.raises(ContextfulError, match="CredentialInvalid"):
            tokens.inspect(hostile)

    @pytest.mark.parametrize("is_signed", [False, True])
    def test_a_check_that_would_run_for_hours_is_never_run(self, home: Home, is_signed: bool) -> None:
        joins = ", ".join(f"right($a{number}, $b{number})" for number in range(14))
        made = token(home, read=("facts", "odds"), write=("facts", "odds"))
        append = appended if is_signed else appended_unsigned
        hostile = append(home, made, f'check if {joins}, $a0 == "zz"')
        code = f"""
from pathlib import Path
from contextful_cli.credentials.authenticate import authenticate
from contextful_cli.settings import Home
authenticate(Home(Path({str(home.project)!r}), Path({str(home.root)!r})), {hostile!r}, "local")
"""
        ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=30, check=False)
        assert "CredentialInvalid" in ran.stderr

    def test_blocks_of_other_tools_in_our_words_narrow(self, home: Home) -> None:
        made = token(home, read=("facts", "odds"))
        assert accepted(home, appended_unsigned(home, made, 'right("odds", "read")')).rights.operations == {
            ("odds", "read")
        }
        assert accepted(home, appended_unsigned(home, made, 'right("people", "read")')).rights.operations == frozenset()
        assert accepted(home, appended_unsigned(home, made, 'agent("scribe")')).agent is None
        past = "check if time($t), $t < 2020-01-01T00:00:00Z"
        assert refusal(home, appended_unsigned(home, made, past)) == "CredentialExpired"
        elsewhere = 'check if audience($a), $a == "elsewhere"'
        assert refusal(home, appended_unsigned(home, made, elsewhere)) == "CredentialAudience"
        later = "check if time($t), $t < 2090-01-01T00:00:00Z"
        assert accepted(home, appended_unsigned(home, made, later)).expires_at == "2090-01-01T00:00:00.000000Z"

    @pytest.mark.parametrize("widening", ["operator(true)", 'on_behalf_of("boss")'])
    def test_signed_widening_refuses(self, home: Home, widening: str) -> None:
        assert refusal(home, appended(home, token(home, read=("facts",)), widening)) == "CredentialInvalid"

    def test_two_blocks_of_one_key_are_two(self, home: Home) -> None:
        pair = KeyPair()
        once = appended(home, token(home, read=("facts", "odds")), 'right("facts", "read")', pair)
        assert accepted(home, once).rights.operations == {("facts", "read")}
        assert accepted(home, appended(home, once, 'right("odds", "read")', pair)).rights.operations == frozenset()

    @given(st.text(max_size=30).filter(lambda text: "\0" not in text))
    def test_any_text_is_held_as_it_is(self, text: str) -> None:
        made = tokens.mint(self._home, Block(Rights(None, filters=frozenset({("t", "c", frozenset({text}))}))))
        rights = authenticate(self._home, made, "local").rights
        assert rights.filters == {("t", "c", frozenset({text}))}

    @given(
        st.lists(
            st.sets(st.tuples(st.sampled_from("abc"), st.sampled_from(("read", "write"))), max_size=6),
            min_size=1,
            max_size=4,
        )
    )
    def test_a_chain_grants_what_each_of_its_blocks_does(self, blocks: list[set[tuple[str, str]]]) -> None:
        home = self._home
        made = tokens.mint(home, Block(Rights(frozenset(blocks[0]) or None)))
        for block in blocks[1:]:
            made = tokens.attenuate(made, Block(Rights(frozenset(block) or None)))
        expected = set(blocks[0])
        for block in blocks[1:]:
            expected &= block or expected
        assert authenticate(home, made, "local").rights.operations == expected

    @pytest.fixture(autouse=True)
    def _keep(self, compiled: Home) -> None:
        type(self)._home = compiled


def root_public(home: Home) -> Any:
    return KeyPair.from_private_key(root(home)).public_key


def appended_unsigned(home: Home, made: str, source: str) -> str:
    """The token with a plain block of any Datalog."""
    return Biscuit.from_base64(made, root_public(home)).append(BlockBuilder(source)).to_base64()


def appended(home: Home, made: str, source: str, pair: KeyPair | None = None) -> str:
    """The token with a signed block of any Datalog, as a holder with a library can make it."""
    pair = pair or KeyPair()
    biscuit = Biscuit.from_base64(made, root_public(home))
    block = biscuit.third_party_request().create_block(pair.private_key, BlockBuilder(source))
    return biscuit.append_third_party(pair.public_key, block).to_base64()


class TestAgents:
    def test_an_agent_counts_from_the_authority_or_by_its_own_key(self, home: Home, tmp_path: Path) -> None:
        key = tmp_path / "scribe.key"
        public = tokens.make_agent_key(key)
        project = self._project(home, tmp_path, {"agents": {"scribe": [public]}})
        trusted = Home(project=project, root=home.root)
        signed = tokens.attenuate(token(home, agent="planner"), Block(agent="scribe"), tokens.agent_key(key))
        assert authenticate(trusted, signed, "local").agent == "scribe"
        # Without trust in the key, or by another key, the name counts for nothing.
        assert authenticate(home, signed, "local").agent == "planner"
        unsigned = narrowed(token(home), agent="scribe")
        assert authenticate(trusted, unsigned, "local").agent is None

    def test_trust_is_for_the_agents_own_name(self, home: Home, tmp_path: Path) -> None:
        key = tmp_path / "scribe.key"
        public = tokens.make_agent_key(key)
        trusted = Home(project=self._project(home, tmp_path, {"agents": {"scribe": [public]}}), root=home.root)
        posing = tokens.attenuate(token(home), Block(agent="planner"), tokens.agent_key(key))
        assert authenticate(trusted, posing, "local").agent is None

    def test_an_agents_key_is_private(self, tmp_path: Path) -> None:
        key = tmp_path / "k"
        tokens.make_agent_key(key)
        assert stat.S_IMODE(key.stat().st_mode) == 0o600
        with pytest.raises(ContextfulError, match="exists"):
            tokens.make_agent_key(key)
        key.chmod(0o644)
        with pytest.raises(ContextfulError, match="StorageFailed"):
            tokens.agent_key(key)

    @pytest.mark.parametrize(
        "bad", ["agents: [x]", "agents: {a: b}", "agents: {a: [ed25519/00]}", "x: 1", "a: [", "agents: {a: []}"]
    )
    def test_a_malformed_file_refuses(self, home: Home, tmp_path: Path, bad: str) -> None:
        key = tmp_path / "k"
        tokens.make_agent_key(key)
        signed = tokens.attenuate(token(home), Block(agent="a"), tokens.agent_key(key))
        project = tmp_path / "broken"
        project.mkdir()
        (project / "agents.yml").write_text(bad)
        with pytest.raises(ContextfulError, match=r"DeclarationMalformed: agents\.yml"):
            authenticate(Home(project=project, root=home.root), signed, "local")

    def _project(self, home: Home, tmp_path: Path, agents: dict[str, Any]) -> Path:
        project = tmp_path / "trusting"
        project.mkdir()
        (project / "agents.yml").write_text(json.dumps(agents))
        return project


class TestRotation:
    def test_tokens_of_the_old_root_stop(self, home: Home) -> None:
        old = token(home, read=("facts",))
        roots.rotate(home)
        tokens.write_operator(home)
        assert refusal(home, old) == "CredentialInvalid"
        assert accepted(home, token(home, read=("facts",))).rights.may("read", "facts")
        assert "secret" not in json.dumps(roots.accepted(home))

    def test_a_rotation_without_mercy_ends_those_that_were_still_taken(self, home: Home) -> None:
        first = token(home)
        roots.rotate(home, time.time_ns() // 1000 + 10**12)
        second = token(home)
        roots.rotate(home, time.time_ns() // 1000 + 10**12)
        assert accepted(home, first)
        assert accepted(home, second)
        roots.rotate(home)
        assert refusal(home, first) == refusal(home, second) == "CredentialInvalid"
        assert len(json.loads(home.root_keys.read_text())) == 1

    def test_or_are_taken_for_a_while(self, home: Home) -> None:
        old = token(home, read=("facts",))
        roots.rotate(home, time.time_ns() // 1000 + 1_500_000)
        assert accepted(home, old).rights.may("read", "facts")
        stored = json.loads(home.root_keys.read_text())
        assert [entry["secret"] is None for entry in stored] == [True, False]
        time.sleep(1.6)
        assert refusal(home, old) == "CredentialInvalid"

    def test_an_operators_credential_that_counts_no_more_is_made_anew(
        self, home: Home, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.delenv("CONTEXTFUL_TOKEN", raising=False)
        for spoil in (
            lambda: roots.rotate(home),
            home.operator_token.unlink,
            lambda: home.operator_token.write_text("x"),
        ):
            spoil()
            tokens.ensure(home)
            assert current(home).rights == OPERATOR
        assert stat.S_IMODE(home.operator_token.stat().st_mode) == 0o600

    def test_ensure_keeps_what_is_sound(self, home: Home) -> None:
        before = home.root_keys.read_bytes(), home.operator_token.read_bytes()
        tokens.ensure(home)
        assert (home.root_keys.read_bytes(), home.operator_token.read_bytes()) == before

    def test_a_lost_root_loses_every_token(self, home: Home) -> None:
        old = token(home)
        home.root_keys.unlink()
        assert refusal(home, old) == "CredentialMissing"
        tokens.ensure(home)
        assert refusal(home, old) == "CredentialInvalid"


class TestVerbs:
    def test_a_token_is_made_narrowed_inspected_and_revoked(
        self, home: Home, cli: Callable[..., Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        file, narrow = tmp_path / "ann.token", tmp_path / "narrow.token"
        made = cli(
            "token", "mint", "--on-behalf-of", "ann", "--read", "facts", "--write", "facts", "--out", str(file)
        ).json
        assert stat.S_IMODE(file.stat().st_mode) == 0o600
        assert "token" not in made
        got = cli(
            "token",
            "attenuate",
            "--token-file",
            str(file),
            "--read",
            "facts",
            "--filter",
            "facts.scope=a=b",
            "--out",
            str(narrow),
        )
        assert got.code == 0
        shown = cli("token", "inspect", "--token-file", str(narrow)).json
        assert shown["status"] == "valid"
        assert shown["revocation_ids"][0] == made["revocation_ids"][0]
        assert shown["blocks"][0] | {"expires_at": ""} == {
            "read": ["facts"],
            "write": ["facts"],
            "on_behalf_of": "ann",
            "expires_at": "",
        }
        assert shown["blocks"][1] == {"read": ["facts"], "filter": ["facts.scope=a=b"]}
        assert narrow.read_text().strip() not in json.dumps(shown)
        monkeypatch.setenv("CONTEXTFUL_TOKEN", narrow.read_text().strip())
        assert cli("memory", "recall", "--table", "facts", "--subject", "x").code == 0
        assert cli("memory", "recall", "--table", "odds", "--subject", "x").err.startswith("EnforceUnknownRelation")
        monkeypatch.delenv("CONTEXTFUL_TOKEN")
        assert cli("token", "revoke", "--token-file", str(file)).json["revoked"] == made["revocation_ids"][0]
        assert cli("token", "inspect", "--token-file", str(narrow)).json["status"] == "CredentialRevoked"
        monkeypatch.setenv("CONTEXTFUL_TOKEN", narrow.read_text().strip())
        assert cli("memory", "recall", "--table", "facts", "--subject", "x").err.startswith("CredentialRevoked")

    def test_minted_tokens_end_unless_told_otherwise(self, home: Home, cli: Callable[..., Any]) -> None:
        until = datetime.now(UTC) + timedelta(days=30)
        made = cli("token", "mint", "--on-behalf-of", "ann").json["token"]
        at = datetime.fromisoformat(authenticate(home, made, "local").expires_at)
        assert abs((at - until).total_seconds()) < 60
        made = cli("token", "mint", "--on-behalf-of", "ann", "--expires-in", "never").json["token"]
        assert authenticate(home, made, "local").expires_at is None

    @pytest.mark.parametrize(
        "arguments",
        [
            ["--read", "nothing"],
            ["--mask", "facts.nothing"],
            ["--mask", "facts"],
            ["--filter", "facts.scope"],
            ["--filter", "nothing.scope=a"],
            ["--expires-in", "8"],
            ["--expires-in", "1h", "--expires-at", "2090-01-01T00:00:00Z"],
            ["--expires-at", "1960-01-01T00:00:00Z"],
            ["--agent", " "],
        ],
    )
    def test_slips_of_the_pen_refuse(self, cli: Callable[..., Any], arguments: list[str]) -> None:
        ran = cli("token", "mint", "--on-behalf-of", "ann", *arguments)
        assert (ran.code, ran.out) == (1, "")
        assert ran.err.startswith("ArgumentMalformed")

    def test_narrowing_works_offline(
        self, home: Home, cli: Callable[..., Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        made = token(home, read=("facts",))
        monkeypatch.setenv("CONTEXTFUL_TOKEN", made)
        for name in ("DBT_PROJECT_DIR", "CONTEXTFUL_HOME"):
            monkeypatch.delenv(name)
        monkeypatch.chdir(tmp_path)
        got = cli("token", "attenuate", "--mask", "facts.object").json["token"]
        assert cli("token", "inspect").json["status"] == "unchecked"
        assert caller_of(home, got).rights.masks == {("facts", "object")}

    @pytest.mark.parametrize(
        "command",
        [
            ["token", "mint", "--on-behalf-of", "ann"],
            ["token", "revoke", "--id", "0" * 128],
            ["token", "rotate-root"],
            ["token", "rotate-pepper", "--yes"],
            ["build"],
            ["shell", "select 1"],
            ["memory", "why", "--table", "facts", "--claim-id", "c-x"],
            ["audit", "verify"],
            ["audit", "list"],
            ["audit", "seal"],
            ["memory", "write", "--into", "facts", "--from-model", "judged_predictions"],
        ],
    )
    def test_what_is_the_operators(
        self, home: Home, cli: Callable[..., Any], command: list[str], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        every = tuple(f"{name}" for name in ("facts", "odds", "people", "bets", "results"))
        monkeypatch.setenv("CONTEXTFUL_TOKEN", token(home, read=every, write=every, erase=every))
        ran = cli(*command)
        assert (ran.code, ran.out) == (1, "")
        assert ran.err.startswith("RequestRefused")

    def test_rotating_by_command(self, home: Home, cli: Callable[..., Any]) -> None:
        old, pepper = token(home), home.pepper.read_bytes()
        shown = cli("token", "rotate-root", "--accept-until", "2090-01-01T00:00:00Z").json["roots"]
        assert [one["id"] for one in shown] == [1, 2]
        assert authenticate(home, old, "local")
        assert cli("token", "rotate-root").code == 0
        assert cli("memory", "recall", "--table", "facts", "--subject", "x").code == 0
        assert cli("token", "rotate-pepper").err.startswith("ArgumentMalformed")
        assert home.pepper.read_bytes() == pepper
        assert cli("token", "rotate-pepper", "--yes").code == 0
        assert home.pepper.read_bytes() != pepper

    def test_no_secret_in_what_is_printed(self, home: Home, cli: Callable[..., Any]) -> None:
        secrets = [
            json.loads(home.root_keys.read_text())[0]["secret"],
            home.pepper.read_bytes().hex(),
            home.operator_token.read_text().strip(),
        ]
        ran = [
            cli("doctor"),
            cli("status"),
            cli("token", "rotate-root"),
            cli("token", "inspect", "--token-file", str(home.operator_token)),
        ]
        assert not any(secret in one.out + one.err for one in ran for secret in secrets)
