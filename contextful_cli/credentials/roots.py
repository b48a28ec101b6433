"""The root key: what every token of this project is signed with, and the earlier ones whose tokens are still taken."""

import json
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

from contextful_cli import instants, private
from contextful_cli.errors import ContextfulError

if TYPE_CHECKING:
    from biscuit_auth import PrivateKey, PublicKey

    from contextful_cli.settings import Home


@dataclass(frozen=True, slots=True)
class Root:
    """id: counts up by rotation. secret: hex of the private key, None for one that only verifies.
    until: µs since 1970 up to which a retired key's tokens are taken; None for the key in use."""

    id: int
    public: str
    secret: str | None = None
    until: int | None = None


def load(home: "Home") -> list[Root]:
    """The roots, the one in use last. Refuses with CredentialMissing where there is none, StorageFailed if damaged."""
    try:
        text = private.read(home.root_keys)
    except FileNotFoundError:
        message = f"{home.root_keys} is missing; run `contextful init`, or restore it: tokens are checked with it"
        raise ContextfulError("CredentialMissing", message) from None
    return _parsed(text, str(home.root_keys))


@lru_cache(maxsize=8)
def _parsed(text: bytes, file: str) -> list[Root]:
    try:
        roots = [Root(**entry) for entry in json.loads(text)]
        _private(roots[-1])
        for root in roots:
            _public(root)
    except Exception:  # the library raises what it will of a damaged key
        raise ContextfulError("StorageFailed", f"{file} is damaged; restore it from a backup") from None
    return roots


def _public(root: Root) -> "PublicKey":
    from biscuit_auth import Algorithm, PublicKey

    return PublicKey.from_bytes(bytes.fromhex(root.public), Algorithm.Ed25519)


def _private(root: Root) -> "PrivateKey":
    from biscuit_auth import Algorithm, PrivateKey

    return PrivateKey.from_bytes(bytes.fromhex(root.secret or ""), Algorithm.Ed25519)


def signing_key(home: "Home") -> tuple[int, "PrivateKey"]:
    """The key in use, with its id."""
    root = load(home)[-1]
    return root.id, _private(root)


def verifying_key(roots: list[Root], root_id: int | None, now: int) -> "PublicKey | None":
    """The key of that id, unless it is unknown or no longer taken. now: µs."""
    found = next((root for root in roots if root.id == root_id), None)
    if found is None or (found.until is not None and now > found.until):
        return None
    return _public(found)


def ensure(home: "Home") -> None:
    """Make the first root key where there is none; safe to race."""
    if not home.root_keys.exists():
        private.write(home.root_keys, _dumped([_made(1)]), replace=False)


def rotate(home: "Home", accept_until: int | None = None) -> Root:
    """Put a new root key in use. Tokens of all earlier ones end at once, or those of the last one at accept_until (µs)
    and those of others when they were to end.

    A retired key's secret is forgotten: nothing can be signed with it again.
    """
    roots = load(home)
    kept = []
    if accept_until is not None:
        kept = [*roots[:-1], Root(roots[-1].id, roots[-1].public, None, accept_until)]
    fresh = _made(roots[-1].id + 1)
    private.write(home.root_keys, _dumped([*kept, fresh]), replace=True)
    return fresh


def _made(root_id: int) -> Root:
    from biscuit_auth import KeyPair

    pair = KeyPair()
    return Root(root_id, bytes(pair.public_key.to_bytes()).hex(), bytes(pair.private_key.to_bytes()).hex())


def _dumped(roots: list[Root]) -> bytes:
    entries = [{name: getattr(root, name) for name in ("id", "public", "secret", "until")} for root in roots]
    return json.dumps(entries, indent=1).encode()


def accepted(home: "Home") -> list[dict[str, object]]:
    """The roots as they may be shown: never a secret."""
    return [
        {
            "id": root.id,
            "public_key": f"ed25519/{root.public}",
            "accepted_until": root.until and instants.format_us(root.until),
        }
        for root in load(home)
    ]
