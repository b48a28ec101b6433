"""Callers with just some rights, by way of real tokens: what a test grants is minted, and authenticated again."""

from typing import Any

from contextful_cli import declaration
from contextful_cli.caller import Caller
from contextful_cli.credentials import tokens, wishes
from contextful_cli.credentials.authenticate import authenticate
from contextful_cli.settings import Home


def token(home: Home, on_behalf_of: str = "ann", **wish: Any) -> str:
    """A minted token; lists as tuples: read=("facts",), masks=("facts.object",), filters=("facts.scope=a",)."""
    return tokens.mint(home, wishes.block(wishes.Wish(on_behalf_of=on_behalf_of, **wish)))


def narrowed(given: str, **wish: Any) -> str:
    """The token with a block appended."""
    return tokens.attenuate(given, wishes.block(wishes.Wish(**wish)))


def caller_of(home: Home, given: str, audience: str = "local") -> Caller:
    """The caller that presents this token."""
    return Caller(home, declaration.load(home.project), authenticate(home, given, audience))


def granted(home: Home, **wish: Any) -> Caller:
    """A caller with these rights."""
    return caller_of(home, token(home, **wish))
