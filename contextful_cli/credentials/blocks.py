"""The blocks of our tokens: which statements one may hold, written and read by the same names. Anything else refuses.

Authority block   operator(true), or right(table, operation); mask(table, column); row_filter(table, column, value);
                  on_behalf_of, agent, task, host; root(public key), with which an agent can sign a block offline
Appended block    right, mask, row_filter: together with all earlier ones; task, host where none was named before;
                  agent, in a block signed by a key of that agent's
Both              expires_at(instant) and meant_for(audience), with the checks that enforce them

Blocks are read as the library prints them, a statement a line, before it evaluates any: a check of a holder's own
making could keep it busy for hours, and a statement that we passed over would not narrow what its author meant it to.
Texts are percent-encoded, since printed ones are not escaped.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Any
from urllib.parse import quote, unquote_to_bytes

from contextful_cli import instants
from contextful_cli.credentials.rights import OPERATIONS, Rights

UNNARROWED = Rights(None)
MEMBERS = ("on_behalf_of", "agent", "task", "host")
MOST_STATEMENTS = 2_000
_TEXT = r'"((?:[A-Za-z0-9_.~ -]|%[0-9A-F]{2})*)"'
_INSTANT = r"([0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z)"
_FACT = re.compile(
    rf"(right|mask|row_filter|on_behalf_of|agent|task|host|meant_for)\({_TEXT}(?:, {_TEXT})?(?:, {_TEXT})?\);"
)
_ARITY = {"right": 2, "mask": 2, "row_filter": 3}
_EXPIRY = re.compile(rf"expires_at\({_INSTANT}\);")
_TIME_CHECK = re.compile(rf"check if time\(\$(\w+)\), \$\1 < {_INSTANT};")
_AUDIENCE_CHECK = re.compile(rf"check if audience\(\$(\w+)\), \$\1 == {_TEXT};")
_ROOT = re.compile(r'root\("ed25519/[0-9a-f]{64}"\);')
_OPERATOR = "operator(true);"


@dataclass(frozen=True, slots=True)
class Block:
    """What one block says. rights.operations is None where it names no right: it then narrows none.

    expires_at: an aware datetime, whole seconds.
    """

    rights: Rights = UNNARROWED
    is_operator: bool = False
    on_behalf_of: str | None = None
    agent: str | None = None
    task: str | None = None
    host: str | None = None
    expires_at: datetime | None = None
    audience: str | None = None


def statements(block: Block) -> Iterator[tuple[str, dict[str, Any]]]:
    """The block's Datalog, a statement each with its parameters."""
    rights = block.rights
    if block.is_operator:
        yield "operator(true)", {}
    for pair in sorted(rights.operations or ()):
        yield _fact("right", *pair)
    for pair in sorted(rights.masks):
        yield _fact("mask", *pair)
    for table, column, values in sorted(rights.filters, key=lambda one: (one[0], one[1], sorted(one[2]))):
        yield from (_fact("row_filter", table, column, value) for value in sorted(values))
    yield from (_fact(name, value) for name in MEMBERS if (value := getattr(block, name)) is not None)
    if block.expires_at is not None:
        yield "expires_at({value}); check if time($time), $time < {value}", {"value": block.expires_at}
    if block.audience is not None:
        value = {"value": _encoded(block.audience)}
        yield "meant_for({value}); check if audience($audience), $audience == {value}", value


def _fact(name: str, *values: str) -> tuple[str, dict[str, Any]]:
    parameters = {f"p{number}": _encoded(value) for number, value in enumerate(values)}
    return f"{name}({', '.join(f'{{{parameter}}}' for parameter in parameters)})", parameters


def _encoded(text: str) -> str:
    return quote(text, safe=" ")


def audience_term(audience: str) -> str:
    """An audience as tokens hold it, for the check to compare with."""
    return _encoded(audience)


def _decoded(text: str) -> str:
    decoded = unquote_to_bytes(text).decode()
    if "\0" in decoded:
        raise ValueError("a text holds NUL")
    return decoded


def parse(source: str, *, is_authority: bool) -> Block:
    """What a block says, of its printed source. ValueError for a statement that is none of ours, or says too much."""
    lines = [line for line in source.split("\n") if line]
    if len(lines) > MOST_STATEMENTS:
        raise ValueError("more statements than a block may hold")
    read = _Reading()
    for line in lines:
        if is_authority and (line == _OPERATOR or _ROOT.fullmatch(line)):
            read.is_operator |= line == _OPERATOR
        else:
            read.statement(line)
    return read.block()


class _Reading:
    """The statements of one block, gathered."""

    def __init__(self) -> None:
        self.is_operator = False
        self.facts: dict[str, set[tuple[str, ...]]] = {name: set() for name in (*_ARITY, *MEMBERS, "meant_for")}
        self.expiries: set[str] = set()
        self.time_checks: set[str] = set()
        self.audience_checks: set[str] = set()

    def statement(self, line: str) -> None:
        if match := _FACT.fullmatch(line):
            self._fact(match)
        elif match := _EXPIRY.fullmatch(line):
            self.expiries.add(match[1])
        elif match := _TIME_CHECK.fullmatch(line):
            self.time_checks.add(match[2])
        elif match := _AUDIENCE_CHECK.fullmatch(line):
            self.audience_checks.add(_decoded(match[2]))
        else:
            raise ValueError("a statement that no token of ours holds")

    def _fact(self, match: re.Match[str]) -> None:
        values = tuple(_decoded(text) for text in match.groups()[1:] if text is not None)
        if len(values) != _ARITY.get(match[1], 1) or (match[1] == "right" and values[1] not in OPERATIONS):
            raise ValueError(f"a {match[1]} that says something else")
        self.facts[match[1]].add(values)

    def block(self) -> Block:
        """The block; what it only states, and does not check, refuses."""
        named = {value for (value,) in self.facts["meant_for"]}
        if not self.expiries <= self.time_checks or not named <= self.audience_checks:
            raise ValueError("an expiry or audience that is stated and not checked")
        if len(self.audience_checks) > 1:
            raise ValueError("two audiences")
        times = [datetime.fromisoformat(text) for text in self.time_checks]
        return Block(
            rights=Rights(self._pairs("right") or None, self._pairs("mask"), self._filters()),
            is_operator=self.is_operator,
            **{name: self._single(name) for name in MEMBERS},
            expires_at=min(times, default=None),
            audience=next(iter(self.audience_checks), None),
        )

    def _pairs(self, name: str) -> frozenset[tuple[str, str]]:
        return frozenset((one, other) for one, other in self.facts[name])

    def _filters(self) -> frozenset[tuple[str, str, frozenset[str]]]:
        """The values of one block for one column are alternatives; filters of other columns and blocks hold besides."""
        values: dict[tuple[str, str], set[str]] = {}
        for table, column, value in self.facts["row_filter"]:
            values.setdefault((table, column), set()).add(value)
        return frozenset((*name, frozenset(one)) for name, one in values.items())

    def _single(self, name: str) -> str | None:
        found = [value for (value,) in self.facts[name]]
        if len(found) > 1:
            raise ValueError(f"{name} is named twice in one block")
        return found[0] if found else None


def instant_text(instant: datetime | None) -> str | None:
    """An expiry as answers write instants."""
    return instant and instants.format_us(int(instant.timestamp()) * 1_000_000)


def from_us(us: int) -> datetime:
    """An instant (µs) as Biscuit holds it: whole seconds, cut down, so that nothing is valid longer than was asked."""
    return datetime.fromtimestamp(us // 1_000_000, UTC)


def narrowed(authority: Block, appended: list[tuple[Block, bool]]) -> Block:
    """What a chain says as a whole. appended: each block with whether its agent has proven itself by its key.

    ValueError for a block that would not narrow.
    """
    whole = replace(authority, rights=_granted(authority))
    for block, is_proven in appended:
        if block.is_operator or block.on_behalf_of is not None:
            raise ValueError("an appended block names whom the token stands for")
        expiries = [one for one in (whole.expires_at, block.expires_at) if one is not None]
        if None not in (whole.audience, block.audience) and whole.audience != block.audience:
            raise ValueError("two audiences")
        whole = replace(
            whole,
            rights=whole.rights.narrowed(block.rights),
            # An agent proves by its key that it holds the token; a name that anyone could append counts for nothing.
            agent=block.agent if block.agent is not None and is_proven else whole.agent,
            task=_once(whole.task, block.task),
            host=_once(whole.host, block.host),
            expires_at=min(expiries, default=None),
            audience=whole.audience or block.audience,
        )
    return whole


def _granted(authority: Block) -> Rights:
    """An authority that names no right grants none, but for the operator's."""
    rights = authority.rights
    if authority.is_operator:
        return Rights(None, is_operator=True).narrowed(rights)
    return replace(rights, operations=rights.operations or frozenset())


def _once(earlier: str | None, later: str | None) -> str | None:
    if earlier is not None and later not in (None, earlier):
        raise ValueError("an appended block names another task or host")
    return earlier or later
