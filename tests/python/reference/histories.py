"""Hypothesis strategies for random histories, crowded so that ties, returns and reopenings happen often.

`histories()` yields operations for `replay` (or for the product); `raw_histories()` yields rows placed directly,
without the checks of a write, so that states which writes refuse are covered too.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import count

from hypothesis import strategies as st

from .model import RANK, Closure, Decision, Key, Line, Order, Version
from .store import Store

BASE = 1_600_000_000_000_000
"""2020-09-13T12:26:40Z"""
SECOND = 1_000_000
INSTANTS = tuple(BASE + n * SECOND for n in range(1, 7))
"""The valid times that histories use; the default stamps lie on and between them."""

# Repeated entries are weights: most histories should crowd on one line.
SUBJECTS = ("orion", "orion", "orion", "vega")
PREDICATES = ("lead", "lead", "lead", "site")
OBJECTS = ("Ann", "Ben", "Cy")
SCOPES = (None, None, "east")
DEDUP_KEYS = (None, None, None, None, "k1", "k2")
TIERS = tuple(RANK)


@dataclass(frozen=True)
class WriteOne:
    line: Line
    tier: str


@dataclass(frozen=True)
class WriteBatch:
    lines: tuple[Line, ...]
    tier: str


@dataclass(frozen=True)
class Expire:
    claim_id: str
    at: int
    valid_from: int | None


@dataclass(frozen=True)
class Retract:
    claim_id: str
    reason: str
    valid_from: int | None


Operation = WriteOne | WriteBatch | Expire | Retract


@dataclass(frozen=True)
class RawHistory:
    """Rows in no particular order. No two versions share an order; a closure may share that of another key's version."""

    versions: tuple[Version, ...]
    closures: tuple[Closure, ...]

    def store(self) -> Store:
        return Store(list(self.versions), list(self.closures))


def default_stamps() -> Iterator[int]:
    """Half a second apart from BASE on: every other one is also a valid time of INSTANTS."""
    return (BASE + n * SECOND // 2 for n in count(1))


def replay(store: Store, operations: Sequence[Operation], stamps: Iterable[int] | None = None) -> list[list[Decision]]:
    """Applies each operation as one commit; the decisions by operation (one each, but one per line for a batch)."""
    stamps = default_stamps() if stamps is None else stamps
    return [_apply(store, operation, stamp) for operation, stamp in zip(operations, stamps, strict=False)]


def _apply(store: Store, operation: Operation, stamp: int) -> list[Decision]:
    match operation:
        case WriteOne(line, tier):
            return [store.write(line, stamp, tier)]
        case WriteBatch(lines, tier):
            return store.write_batch(lines, stamp, tier)
        case Expire(claim_id, at, valid_from):
            return [store.expire(claim_id, at, stamp, valid_from)]
        case Retract(claim_id, reason, valid_from):
            return [store.retract(claim_id, reason, stamp, valid_from)]


@st.composite
def lines(draw: st.DrawFn, instants: Sequence[int] = INSTANTS) -> Line:
    """One line: most are open-ended, a quarter without observed_at, some malformed (valid_until too early)."""
    observed_at = draw(st.sampled_from([None, None, *instants]))
    return Line(
        subject=draw(st.sampled_from(SUBJECTS)),
        predicate=draw(st.sampled_from(PREDICATES)),
        object=draw(st.sampled_from(OBJECTS)),
        scope=draw(st.sampled_from(SCOPES)),
        observed_at=observed_at,
        valid_until=draw(_ends(observed_at, instants)),
        dedup_key=draw(st.sampled_from(DEDUP_KEYS)),
        has_replaced_citation=draw(st.sampled_from([False] * 9 + [True])),
    )


@st.composite
def histories(
    draw: st.DrawFn, max_size: int = 14, instants: Sequence[int] = INSTANTS, citations: bool = True
) -> list[Operation]:
    """Operations for an empty store. `citations` false: no line cites a replaced row."""
    operations: list[Operation] = []
    known: list[Line] = []
    for _ in range(draw(st.integers(1, max_size))):
        operation = draw(_operations(tuple(known), instants, citations))
        operations.append(operation)
        known.extend(_lines_of(operation))
    return operations


def _lines_of(operation: Operation) -> tuple[Line, ...]:
    match operation:
        case WriteOne(line, _):
            return (line,)
        case WriteBatch(written, _):
            return written
        case _:
            return ()


def _operations(known: tuple[Line, ...], instants: Sequence[int], citations: bool) -> st.SearchStrategy[Operation]:
    line = _next_lines(known, instants, citations)
    tier = st.sampled_from(TIERS)
    ids = _next_lines(known, instants, citations).map(lambda line: line.claim_id)
    start = st.sampled_from([None, None, None, *instants])
    one = st.builds(WriteOne, line, tier)
    batch = st.builds(WriteBatch, st.lists(line, min_size=1, max_size=5).map(tuple), tier)
    expire = st.builds(Expire, ids, st.sampled_from(instants), start)
    retract = st.builds(Retract, ids, st.sampled_from(["wrong", "duplicate"]), start)
    return st.one_of(one, one, one, batch, expire, retract)


def _next_lines(known: tuple[Line, ...], instants: Sequence[int], citations: bool) -> st.SearchStrategy[Line]:
    """A new line, or one written before, most often at another instant: returns, restatements and promotions."""
    fresh = lines(instants)
    if known:
        again = st.sampled_from(known)
        fresh = st.one_of(fresh, _moved(again, instants), again)
    return fresh if citations else fresh.map(lambda line: replace(line, has_replaced_citation=False))


@st.composite
def _moved(draw: st.DrawFn, written: st.SearchStrategy[Line], instants: Sequence[int]) -> Line:
    observed_at = draw(st.sampled_from([None, *instants]))
    return replace(draw(written), observed_at=observed_at, valid_until=draw(_ends(observed_at, instants)))


def _ends(start: int | None, instants: Sequence[int]) -> st.SearchStrategy[int | None]:
    """Open, or one of the instants after the start; at times the first instant, which is too early for most starts."""
    later = [instant for instant in instants if start is None or instant > start]
    return st.sampled_from([None] * len(instants) + later + [instants[0]])


@st.composite
def raw_histories(draw: st.DrawFn, max_size: int = 14, instants: Sequence[int] = INSTANTS) -> RawHistory:
    """Versions and closures at a few stamps, runs and sequence numbers, valid_to before valid_from included."""
    orders = draw(st.lists(_orders(), min_size=1, max_size=max_size, unique=True))
    versions: list[Version] = []
    closures: list[Closure] = []
    for order in orders:
        kind = draw(st.sampled_from(["version", "version", "version", "closure", "both"]))
        version = draw(_versions(order, instants))
        closed = draw(_keys([*(v.key for v in versions), version.key], instants))
        if kind != "closure":
            versions.append(version)
        if kind == "closure" or (kind == "both" and closed != version.key):
            closures.append(draw(_closures(closed, order, instants)))
    return RawHistory(tuple(versions), tuple(closures))


def _orders() -> st.SearchStrategy[Order]:
    stamps = st.sampled_from([BASE + n * SECOND for n in range(4)])
    return st.tuples(stamps, st.sampled_from(["r1", "r2"]), st.integers(0, 3))


def _versions(order: Order, instants: Sequence[int]) -> st.SearchStrategy[Version]:
    return st.builds(
        lambda line, tier, valid_from, valid_to: Version(
            line.claim_id,
            line.subject,
            line.predicate,
            line.object,
            line.scope,
            tier,
            valid_from,
            valid_to,
            order,
        ),
        lines(instants),
        st.sampled_from(TIERS),
        st.sampled_from(instants),
        st.sampled_from([None] * len(instants) + list(instants)),
    )


def _keys(known: Sequence[Key], instants: Sequence[int]) -> st.SearchStrategy[Key]:
    """Mostly the key of a version already drawn (which may be committed later), at times one that no version has."""
    stray = st.tuples(lines(instants).map(lambda line: line.claim_id), st.sampled_from(instants))
    return st.one_of(st.sampled_from(known), st.sampled_from(known), st.sampled_from(known), stray)


def _closures(key: Key, order: Order, instants: Sequence[int]) -> st.SearchStrategy[Closure]:
    closed_at = st.sampled_from([None, None, *instants])
    return closed_at.map(lambda at: Closure(*key, at, "wrong" if at is None else "expired", order))
