"""Making tokens, narrowing them, and saying what is in one."""

import re
from typing import TYPE_CHECKING, Any

from contextful_cli import private
from contextful_cli.credentials import blocks, revocations, roots
from contextful_cli.credentials.authenticate import (
    LOCAL,
    TOKEN_CHARACTERS,
    authenticate,
    blocks_of,
    invalid,
    refusing_invalid,
)
from contextful_cli.credentials.blocks import MEMBERS, Block
from contextful_cli.credentials.rights import OPERATOR, Rights
from contextful_cli.errors import ContextfulError

if TYPE_CHECKING:
    from pathlib import Path

    from biscuit_auth import Biscuit, PrivateKey

    from contextful_cli.settings import Home

OPERATOR_BLOCK = Block(rights=Rights(None), is_operator=True, on_behalf_of="operator")
ROOT = re.compile(r'^root\("ed25519/([0-9a-f]{64})"\);$', re.MULTILINE)


def ensure(home: "Home") -> None:
    """Make the root key and the operator's credential where they are missing; one that counts no more is made anew."""
    roots.ensure(home)
    revocations.ensure(home)
    try:
        is_sound = authenticate(home, private.read(home.operator_token).decode().strip(), LOCAL).rights == OPERATOR
    except (FileNotFoundError, UnicodeError, ContextfulError):
        is_sound = False
    if not is_sound:
        write_operator(home)


def write_operator(home: "Home") -> None:
    """Put a fresh operator's credential in place."""
    private.write(home.operator_token, f"{mint(home, OPERATOR_BLOCK)}\n".encode(), replace=True)


def mint(home: "Home", block: Block) -> str:
    """A token with this authority block, signed by the root key in use."""
    from biscuit_auth import BiscuitBuilder

    root_id, key = roots.signing_key(home)
    builder = BiscuitBuilder()
    for source, parameters in blocks.statements(block):
        builder.add_code(source, parameters)
    # An agent needs the public key to append a signed block offline; it proves nothing, and nothing trusts it.
    builder.add_code("root({key})", {"key": f"ed25519/{roots.load(home)[-1].public}"})
    builder.set_root_key_id(root_id)
    return builder.build(key).to_base64()


def attenuate(token: str, block: Block, agent_key: "PrivateKey | None" = None) -> str:
    """The token with a block appended that narrows it. Needs no state folder and no secret but an agent's own key.

    agent_key: signs the block, so that its agent counts.
    """
    from biscuit_auth import BlockBuilder, KeyPair

    biscuit = opened(token)
    builder = BlockBuilder("")
    for source, parameters in blocks.statements(block):
        builder.merge(BlockBuilder(source, parameters))
    if agent_key is None:
        narrowed = biscuit.append(builder)
    else:
        signed = biscuit.third_party_request().create_block(agent_key, builder)
        narrowed = biscuit.append_third_party(KeyPair.from_private_key(agent_key).public_key, signed)
    text = narrowed.to_base64()
    if len(text) > TOKEN_CHARACTERS:
        raise ContextfulError("ArgumentMalformed", f"the token would be longer than {TOKEN_CHARACTERS} characters")
    return text


def opened(token: str) -> "Biscuit":
    """The token, its blocks checked against the key that it names itself: whether that is the project's is not."""
    from biscuit_auth import Algorithm, Biscuit, PublicKey, UnverifiedBiscuit

    with refusing_invalid():
        named = ROOT.search(UnverifiedBiscuit.from_base64(token).block_source(0))
        key = PublicKey.from_bytes(bytes.fromhex(named[1]), Algorithm.Ed25519)
        return Biscuit.from_base64(token, key)
    raise invalid()


def said_by(token: str) -> Block:
    """What a token's chain allows as a whole, unchecked against a project; agents are taken at their word."""
    with refusing_invalid():
        (authority, _), *appended = blocks_of(opened(token))
        return blocks.narrowed(authority, [(block, True) for block, _ in appended])
    raise invalid()


def inspect(token: str) -> dict[str, Any]:
    """What a token says, block by block. It is not checked against a project: `authenticate` does that."""
    with refusing_invalid():
        biscuit, _ = opened(token), said_by(token)
        return {
            "revocation_ids": list(biscuit.revocation_ids),
            "blocks": [_shown(block, key) for block, key in blocks_of(biscuit)],
        }
    raise invalid()


def _shown(block: Block, key: str | None) -> dict[str, Any]:
    stated: dict[str, Any] = {"operator": True} if block.is_operator else {}
    for operation in ("read", "write", "erase"):
        stated[operation] = sorted(table for table, may in block.rights.operations or () if may == operation)
    stated["mask"] = sorted(f"{table}.{column}" for table, column in block.rights.masks)
    stated["filter"] = sorted(f"{table}.{column}={v}" for table, column, values in block.rights.filters for v in values)
    stated |= {name: getattr(block, name) for name in MEMBERS}
    stated["expires_at"] = blocks.instant_text(block.expires_at)
    stated["audience"] = block.audience
    if block.agent is not None and key is not None:
        stated["agent_key"] = key
    return {name: value for name, value in stated.items() if value}


def make_agent_key(file: "Path") -> str:
    """A new private key for an agent, written to a file of mode 0600; returns its public key, for agents.yml."""
    from biscuit_auth import KeyPair

    if file.exists():
        raise ContextfulError("ArgumentMalformed", f"{file} exists; name a new file")
    pair = KeyPair()
    private.write(file, f"{pair.private_key}\n".encode(), replace=False)
    return str(pair.public_key)


def agent_key(file: "Path") -> "PrivateKey":
    """The private key in a file that `make_agent_key` wrote."""
    from biscuit_auth import Algorithm, PrivateKey

    try:
        text = private.read(file).decode().strip()
        return PrivateKey.from_bytes(bytes.fromhex(text.removeprefix("ed25519-private/")), Algorithm.Ed25519)
    except OSError as error:
        raise ContextfulError("ArgumentMalformed", f"{file} cannot be read: {error.strerror}") from None
    except ContextfulError:
        raise
    except Exception:  # the library raises what it will of a damaged key
        raise ContextfulError("ArgumentMalformed", f"{file} holds no agent's key") from None
