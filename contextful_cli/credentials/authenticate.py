"""From a token's text to an accepted credential, or to the refusal that says why not."""

import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

from contextful_cli import clock as clocks
from contextful_cli import private
from contextful_cli.credentials import agents, blocks, revocations, roots
from contextful_cli.credentials.blocks import Block
from contextful_cli.credentials.credential import Credential
from contextful_cli.errors import ContextfulError

if TYPE_CHECKING:
    from biscuit_auth import Biscuit

    from contextful_cli.settings import Home

TOKEN = "CONTEXTFUL_TOKEN"
LOCAL = "local"  # the audience of the command line and of MCP over stdio
TOKEN_CHARACTERS = 65_536
# The library's own bound of 1 ms is missed by an honest token on a busy machine.
DATALOG_TIME = timedelta(milliseconds=250)


def current(home: "Home", audience: str = LOCAL) -> Credential:
    """The credential of this process: $CONTEXTFUL_TOKEN's, else the local operator's. Refuses as `authenticate`."""
    if (token := os.environ.get(TOKEN)) is not None:
        if not token.strip():  # a file that was not there must not make an operator of who asks
            raise ContextfulError("CredentialMissing", f"${TOKEN} is empty; set a token, or unset it")
        return authenticate(home, token, audience)
    try:
        token = private.read(home.operator_token).decode("ascii", "replace").strip()
    except FileNotFoundError:
        clocks.read(home)  # where there is no lake at all, that is what to say
        message = f"there is no ${TOKEN} and no {home.operator_token}; run `contextful init`, or set the token"
        raise ContextfulError("CredentialMissing", message) from None
    return authenticate(home, token, audience)


def operator_home(command: str) -> "Home":
    """The home of a command of the operator's; any other credential refuses with RequestRefused."""
    from contextful_cli.settings import Home

    home = Home.locate()
    if not current(home).rights.is_operator:
        raise ContextfulError("RequestRefused", f"`contextful {command}` takes the operator's credential")
    return home


def authenticate(home: "Home", token: str, audience: str) -> Credential:
    """The credential that a token proves here and now.

    Refuses with CredentialInvalid, CredentialRevoked, CredentialExpired, CredentialAudience. No message repeats the
    token or tells what is in it.
    """
    biscuit = _verified(home, token)
    if not revocations.revoked(home).isdisjoint(biscuit.revocation_ids):
        raise ContextfulError("CredentialRevoked", "the token was revoked; ask for another")
    said = _said(biscuit, home)
    if said.expires_at is not None and datetime.now(UTC) >= said.expires_at:
        raise ContextfulError("CredentialExpired", "the token has expired; ask for another")
    if said.audience not in (None, audience):
        raise ContextfulError("CredentialAudience", "the token is meant for another audience")
    _authorize(biscuit, audience)
    return _credential(biscuit, said)


def invalid() -> ContextfulError:
    """The one refusal of whatever is no token of this project's."""
    return ContextfulError("CredentialInvalid", "the token is damaged, or was not made by this project's root key")


@contextmanager
def refusing_invalid() -> Iterator[None]:
    """Whatever the library makes of bytes that anyone can send is one refusal; its panics are no `Exception`."""
    try:
        yield
    except (KeyboardInterrupt, SystemExit, GeneratorExit, ContextfulError):
        raise
    except BaseException:
        raise invalid() from None


def _verified(home: "Home", token: str) -> "Biscuit":
    from biscuit_auth import Biscuit, UnverifiedBiscuit

    known = roots.load(home)
    if len(token) > TOKEN_CHARACTERS:
        raise invalid()
    with refusing_invalid():
        root_id = UnverifiedBiscuit.from_base64(token).root_key_id()
        key = roots.verifying_key(known, root_id, time.time_ns() // 1000)
        if key is not None:
            return Biscuit.from_base64(token, key)
    raise invalid()


def blocks_of(biscuit: "Biscuit") -> list[tuple[Block, str | None]]:
    """The blocks, each with the key that signed it, the authority's first. ValueError for what is no block of ours."""
    found = []
    for index in range(biscuit.block_count()):
        key = biscuit.block_external_key(index)
        found.append((blocks.parse(biscuit.block_source(index), is_authority=index == 0), key and str(key)))
    return found


def _said(biscuit: "Biscuit", home: "Home") -> Block:
    with refusing_invalid():
        (authority, _), *appended = blocks_of(biscuit)
        return blocks.narrowed(authority, [(block, _is_proven(home, block, key)) for block, key in appended])


def _is_proven(home: "Home", block: Block, key: str | None) -> bool:
    return block.agent is not None and key is not None and key in agents.trusted(home.project).get(block.agent, ())


def _authorize(biscuit: "Biscuit", audience: str) -> None:
    """The library's own word on the checks, of which only ours are left by now."""
    from biscuit_auth import AuthorizerBuilder

    with refusing_invalid():
        builder = AuthorizerBuilder("audience({audience}); allow if true", {"audience": blocks.audience_term(audience)})
        builder.set_time()
        limits = builder.limits()
        limits.max_time, limits.max_facts = DATALOG_TIME, blocks.MOST_STATEMENTS * 4
        builder.set_limits(limits)
        builder.build(biscuit).authorize()


def _credential(biscuit: "Biscuit", said: Block) -> Credential:
    return Credential(
        rights=said.rights,
        chain=tuple(biscuit.revocation_ids),
        **{name: getattr(said, name) for name in blocks.MEMBERS},
        expires_at=blocks.instant_text(said.expires_at),
        audience=said.audience,
    )
