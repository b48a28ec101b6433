"""From a token's text to an accepted credential, or to the refusal that says why not."""

import os
import time
from dataclasses import replace
from datetime import timedelta
from typing import TYPE_CHECKING

from contextful_cli import clock as clocks
from contextful_cli import instants, private
from contextful_cli.credentials import agents, blocks, revocations, roots
from contextful_cli.credentials.blocks import Block
from contextful_cli.credentials.credential import Credential
from contextful_cli.credentials.rights import OPERATOR, Rights
from contextful_cli.errors import ContextfulError

if TYPE_CHECKING:
    from pathlib import Path

    from biscuit_auth import Authorizer, Biscuit

    from contextful_cli.settings import Home

TOKEN = "CONTEXTFUL_TOKEN"
LOCAL = "local"  # the audience of the command line and of MCP over stdio
TOKEN_CHARACTERS = 65_536
# The library's own bound of 1 ms is missed by an honest token on a busy machine.
DATALOG_TIME = timedelta(milliseconds=250)
DATALOG_FACTS = 10_000


def current(home: "Home", audience: str = LOCAL) -> Credential:
    """The credential of this process: $CONTEXTFUL_TOKEN's, else the local operator's. Refuses as `authenticate`."""
    if token := os.environ.get(TOKEN):
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
    authorizer = _authorized(biscuit, audience)
    try:
        return _combined(biscuit, authorizer, home.project)
    except ValueError:
        raise invalid() from None


def invalid() -> ContextfulError:
    """The one refusal of whatever is no token of this project's."""
    return ContextfulError("CredentialInvalid", "the token is damaged, or was not made by this project's root key")


def _verified(home: "Home", token: str) -> "Biscuit":
    from biscuit_auth import Biscuit, UnverifiedBiscuit

    known = roots.load(home)
    if len(token) > TOKEN_CHARACTERS:
        raise invalid()
    try:
        root_id = UnverifiedBiscuit.from_base64(token).root_key_id()
        key = roots.verifying_key(known, root_id, time.time_ns() // 1000)
        if key is not None:
            return Biscuit.from_base64(token, key)
    except Exception:  # whatever the library says of bytes that anyone can send
        raise invalid() from None
    raise invalid()


def _authorized(biscuit: "Biscuit", audience: str) -> "Authorizer":
    """The checks of all blocks hold, at this instant and for this audience."""
    from biscuit_auth import AuthorizationError, AuthorizerBuilder

    builder = AuthorizerBuilder("audience({audience}); allow if true", {"audience": audience})
    builder.set_time()
    limits = builder.limits()
    limits.max_time, limits.max_facts = DATALOG_TIME, DATALOG_FACTS
    builder.set_limits(limits)
    authorizer = builder.build(biscuit)
    try:
        authorizer.authorize()
    except AuthorizationError as error:
        raise _refused(str(error)) from None
    return authorizer


def _refused(message: str) -> ContextfulError:
    """Which check failed decides the identifier only: the token is refused either way."""
    if "check if time(" in message:
        return ContextfulError("CredentialExpired", "the token has expired; ask for another")
    if "check if audience(" in message:
        return ContextfulError("CredentialAudience", "the token is meant for another audience")
    return invalid()


def _combined(biscuit: "Biscuit", authorizer: "Authorizer", project: "Path") -> Credential:
    """The authority's block, narrowed by each appended one. Raises ValueError for a block that would not narrow."""
    authority = blocks.read(authorizer, None)
    rights = OPERATOR if authority.is_operator else _granted(authority.rights)
    if authority.is_operator:
        rights = rights.narrowed(authority.rights)
    credential = Credential(
        rights=rights,
        chain=tuple(biscuit.revocation_ids),
        **{name: getattr(authority, name) for name in blocks.MEMBERS},
        expires_at=_instant(authority),
        audience=authority.audience,
    )
    for key, block in appended(biscuit, authorizer):
        credential = _narrowed(credential, block, key, project)
    return credential


def _granted(rights: Rights) -> Rights:
    """An authority that names no right grants none."""
    return replace(rights, operations=rights.operations or frozenset())


def appended(biscuit: "Biscuit", authorizer: "Authorizer") -> list[tuple[str, Block]]:
    """The signed blocks after the authority's, each with its key. ValueError for a block whose facts cannot be told."""
    found, seen = [], set()
    for index in range(1, biscuit.block_count()):
        public = biscuit.block_external_key(index)
        if public is None:
            _refuse_unsigned_facts(biscuit.block_source(index))
            continue
        key = str(public)
        if key in seen:  # the facts of both would read as one block's, which is more than either allows
            raise ValueError("two blocks with one key")
        seen.add(key)
        found.append((key, blocks.read(authorizer, public)))
    return found


def _refuse_unsigned_facts(source: str) -> None:
    """A block without a key of its own may hold checks, which were made; its facts would be passed over in silence."""
    if any(line and not line.startswith("check ") for line in source.splitlines()):
        raise ValueError("an unsigned block that states facts")


def _narrowed(credential: Credential, block: Block, key: str, project: "Path") -> Credential:
    if block.is_operator or block.on_behalf_of is not None:
        raise ValueError("an appended block names whom the token stands for")
    members = {name: _once(getattr(credential, name), getattr(block, name)) for name in ("task", "host")}
    # An agent proves by its key that it holds the token; a name that anyone could append counts for nothing.
    is_proven = block.agent is not None and key in agents.trusted(project).get(block.agent, ())
    expiries = [instant for instant in (credential.expires_at, _instant(block)) if instant is not None]
    return replace(
        credential,
        rights=credential.rights.narrowed(block.rights),
        agent=block.agent if is_proven else credential.agent,
        expires_at=min(expiries, default=None),
        audience=credential.audience or block.audience,
        **members,
    )


def _once(earlier: str | None, later: str | None) -> str | None:
    if earlier is not None and later not in (None, earlier):
        raise ValueError("an appended block names another task or host")
    return earlier or later


def _instant(block: Block) -> str | None:
    return block.expires_at and instants.format_us(int(block.expires_at.timestamp()) * 1_000_000)
