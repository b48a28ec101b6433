"""The Datalog of our tokens: which facts a block may state, written and read by the same names.

Authority block   operator(true), or right(table, operation); mask(table, column); row_filter(table, column, value);
                  on_behalf_of, agent, task, host; root(public key), so that a holder can append to it offline
Appended block    right, mask, row_filter: together with all earlier ones; task, host where none was named before;
                  agent, signed by a key of that agent's
Both              expires_at(instant) and meant_for(audience), each with the check that enforces it

An appended block is signed by a key of its own, made for it and forgotten: only facts of a signed block can be read
back, and only by naming its key.
"""

from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from contextful_cli.credentials.rights import Rights

if TYPE_CHECKING:
    from biscuit_auth import Authorizer, PublicKey

UNNARROWED = Rights(None)
MEMBERS = ("on_behalf_of", "agent", "task", "host")
EXPIRY_CHECK = "check if time($time), $time < {value}"
AUDIENCE_CHECK = "check if audience($audience), $audience == {value}"


@dataclass(frozen=True, slots=True)
class Block:
    """What one block says. rights.operations is None where it names no right: it then narrows none.

    expires_at: an aware datetime.
    """

    rights: Rights = UNNARROWED
    is_operator: bool = False
    on_behalf_of: str | None = None
    agent: str | None = None
    task: str | None = None
    host: str | None = None
    expires_at: datetime | None = None
    audience: str | None = None


def facts(block: Block) -> list[tuple[str, dict[str, Any]]]:
    """The block's Datalog, a statement each with its parameters."""
    rights = block.rights
    stated: list[tuple[str, dict[str, Any]]] = [("operator(true)", {})] if block.is_operator else []
    stated += [_fact("right", *pair) for pair in sorted(rights.operations or ())]
    stated += [_fact("mask", *pair) for pair in sorted(rights.masks)]
    for table, column, values in sorted(rights.filters, key=lambda one: (one[0], one[1], sorted(one[2]))):
        stated += [_fact("row_filter", table, column, value) for value in sorted(values)]
    stated += [_fact(name, value) for name in MEMBERS if (value := getattr(block, name)) is not None]
    for fact, check, value in (
        ("expires_at", EXPIRY_CHECK, block.expires_at),
        ("meant_for", AUDIENCE_CHECK, block.audience),
    ):
        if value is not None:
            stated += [_fact(fact, value), (check, {"value": value})]
    return stated


def _fact(name: str, *values: Any) -> tuple[str, dict[str, Any]]:
    parameters = {f"p{number}": value for number, value in enumerate(values)}
    return f"{name}({', '.join(f'{{{parameter}}}' for parameter in parameters)})", parameters


def read(authorizer: "Authorizer", key: "PublicKey | None") -> Block:
    """What a block says: the authority's, or the one signed by `key`. Raises ValueError where it contradicts itself."""
    rights = _pairs(authorizer, key, "right")
    return Block(
        rights=Rights(rights or None, _pairs(authorizer, key, "mask"), _filters(authorizer, key)),
        is_operator=[True] in _rows(authorizer, key, "operator", 1),
        **{name: _single(authorizer, key, name) for name in MEMBERS},
        expires_at=min((row[0] for row in _rows(authorizer, key, "expires_at", 1)), default=None),
        audience=_single(authorizer, key, "meant_for"),
    )


def _rows(authorizer: "Authorizer", key: "PublicKey | None", name: str, arity: int) -> list[list[Any]]:
    from biscuit_auth import Rule

    terms = ", ".join(f"$t{number}" for number in range(arity))
    scope = {"key": key} if key is not None else {}
    rule = Rule(f"stated({terms}) <- {name}({terms}){' trusting {key}' if scope else ''}", {}, scope)
    return [fact.terms for fact in authorizer.query(rule)]


def _texts(authorizer: "Authorizer", key: "PublicKey | None", name: str, arity: int) -> list[list[str]]:
    found = _rows(authorizer, key, name, arity)
    if not all(isinstance(term, str) and "\0" not in term for row in found for term in row):
        raise ValueError(f"{name} holds what is no text")
    return found


def _pairs(authorizer: "Authorizer", key: "PublicKey | None", name: str) -> frozenset[tuple[str, str]]:
    return frozenset((one, other) for one, other in _texts(authorizer, key, name, 2))


def _filters(authorizer: "Authorizer", key: "PublicKey | None") -> frozenset[tuple[str, str, frozenset[str]]]:
    """The values of one block for one column are alternatives; filters of other columns and blocks hold besides."""
    values: dict[tuple[str, str], set[str]] = {}
    for table, column, value in _texts(authorizer, key, "row_filter", 3):
        values.setdefault((table, column), set()).add(value)
    return frozenset((*name, frozenset(one)) for name, one in values.items())


def _single(authorizer: "Authorizer", key: "PublicKey | None", name: str) -> str | None:
    found = _texts(authorizer, key, name, 1)
    if len(found) > 1:
        raise ValueError(f"{name} is named twice in one block")
    return found[0][0] if found else None


def from_us(us: int) -> datetime:
    """An instant (µs) as Biscuit holds it: whole seconds, cut down, so that nothing is valid longer than was asked."""
    return datetime.fromtimestamp(us // 1_000_000, UTC)
