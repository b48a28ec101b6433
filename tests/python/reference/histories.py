"""Hypothesis strategies for random histories, crowded so that ties, returns and reopenings happen often.

`histories()` yields operations for `replay` (or for the product); `raw_histories()` yields rows placed directly,
without the checks of a write, so that states which writes refuse are covered too.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import count

from hypothesis import strategies as st

from .model import RANK, Closure, Decision, Line, Order, Version
from .store import Store

BASE = 1_600_000_000_000_000
"""2020-09-13T12:26:40Z"""
SECOND = 1_000_000
INSTANTS = tuple(BASE + n * SECOND for n in range(1, 7))
"""The valid times that histories use; the default stamps lie on and between them."""

# Repeated entries are weights.
OBJECTS = ("Ann", "Ann", "Ben", "Ben", "Cy")
SCOPES = (None, "east")
DEDUP_KEYS = (None, None, None, None, "k1", "k2")
PLAIN_CAST = tuple(Line("orion", "lead", name) for name in ("Ann", "Ben", "Cy"))
"""Unscoped and unkeyed claims of one line: the only ones that collide and then resolve."""
TIERS = tuple(RANK)
ORDERS: list[Order] = [
    (BASE + n * SECOND, run_id, row_seq) for n in range(4) for run_id in ("r1", "r2") for row_seq in range(4)
]
"""Of raw rows: two runs may share a stamp, as when lakes are merged."""


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
    """Rows in no particular order. Versions have orders of their own; a closure may share that of another key."""

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


@dataclass(frozen=True)
class World:
    """What one history draws from: claims without times, instants, tiers; and whether lines cite replaced rows."""

    cast: tuple[Line, ...]
    times: tuple[int, ...]
    tiers: tuple[str, ...]
    citations: bool


def worlds(instants: Sequence[int], citations: bool) -> st.SearchStrategy[World]:
    few = min(3, len(instants))
    return st.builds(
        World,
        st.one_of(_mixed_casts(), st.just(PLAIN_CAST)),
        st.lists(st.sampled_from(instants), min_size=few, max_size=5, unique=True).map(sorted).map(tuple),
        st.sampled_from([TIERS, TIERS, ("curated",), ("researched", "curated")]),
        st.just(citations),
    )


@st.composite
def _mixed_casts(draw: st.DrawFn) -> tuple[Line, ...]:
    """Three to six claims, most of them on one (subject, predicate, scope)."""
    scope = draw(st.sampled_from(SCOPES))
    main = st.just(("orion", "lead", scope))
    other = st.sampled_from([("orion", "lead", None), ("orion", "lead", "east"), ("orion", "site", scope)])
    strange = st.just(("vega", "lead", scope))
    claims = st.builds(
        lambda track, object, key: Line(*track[:2], object, track[2], dedup_key=key),
        st.one_of(main, main, main, main, main, main, other, strange),
        st.sampled_from(OBJECTS),
        st.sampled_from(DEDUP_KEYS),
    )
    return tuple(draw(st.lists(claims, min_size=3, max_size=6, unique=True)))


@st.composite
def lines(draw: st.DrawFn, world: World) -> Line:
    """A claim of the cast at some time: most open-ended, few without observed_at or malformed (ending too early)."""
    observed_at = draw(st.sampled_from([*world.times, *world.times, None]))
    return replace(
        draw(st.sampled_from(world.cast)),
        observed_at=observed_at,
        valid_until=draw(_ends(observed_at, world.times)),
        has_replaced_citation=world.citations and draw(st.sampled_from([False] * 15 + [True])),
    )


def _ends(start: int | None, times: Sequence[int]) -> st.SearchStrategy[int | None]:
    """Open, or one of the times after a known start; now and then the first time, too early for most starts."""
    later = [time for time in times if start is not None and time > start]
    return st.sampled_from([None] * 8 + later * 2 + [times[0]])


def _sizes(max_size: int) -> st.SearchStrategy[int]:
    """Every size alike: left to itself, a list strategy stays short and little is ever replaced."""
    return st.sampled_from(range(1, max_size + 1))


@st.composite
def histories(
    draw: st.DrawFn, max_size: int = 16, instants: Sequence[int] = INSTANTS, citations: bool = True
) -> list[Operation]:
    """Operations for an empty store: a batch, then up to `max_size` of all kinds.

    `instants`: ascending. `citations` false: no line cites a replaced row.
    """
    world = draw(worlds(instants, citations))
    size = draw(_sizes(max_size))
    return [draw(_batches(world)), *draw(st.lists(_operations(world), min_size=size, max_size=size))]


def _operations(world: World) -> st.SearchStrategy[Operation]:
    ids = st.sampled_from([claim.claim_id for claim in world.cast])
    start = st.sampled_from([None] * 3 * len(world.times) + list(world.times))
    one = st.builds(WriteOne, lines(world), st.sampled_from(world.tiers))
    expire = st.builds(Expire, ids, st.sampled_from(world.times), start)
    retract = st.builds(Retract, ids, st.sampled_from(["wrong", "duplicate"]), start)
    return st.one_of(one, one, one, one, _batches(world), expire, retract)


def _batches(world: World) -> st.SearchStrategy[WriteBatch]:
    written = st.lists(lines(world), min_size=1, max_size=5).map(tuple)
    return st.builds(WriteBatch, written, st.sampled_from(world.tiers))


@st.composite
def raw_histories(draw: st.DrawFn, max_size: int = 16, instants: Sequence[int] = INSTANTS) -> RawHistory:
    """Versions and closures at a few stamps, runs and sequence numbers, valid_to before valid_from included."""
    world = draw(worlds(instants, citations=False))
    size = draw(_sizes(max_size))
    versions: list[Version] = []
    closures: list[Closure] = []
    for order in draw(st.lists(st.sampled_from(ORDERS), min_size=size, max_size=size, unique=True)):
        kind = draw(st.sampled_from(["version", "version", "version", "closure", "both"]))
        version = draw(_versions(world, order))
        closure = draw(_closures(world, order))
        if kind != "closure":
            versions.append(version)
        if kind == "closure" or (kind == "both" and closure.key != version.key):
            closures.append(closure)
    return RawHistory(tuple(versions), tuple(closures))


def _versions(world: World, order: Order) -> st.SearchStrategy[Version]:
    return st.builds(
        lambda claim, tier, valid_from, valid_to: Version(
            claim.claim_id, *claim.track[:2], claim.object, claim.scope, tier, valid_from, valid_to, order
        ),
        st.sampled_from(world.cast),
        st.sampled_from(world.tiers),
        st.sampled_from(world.times),
        st.sampled_from([None] * 2 * len(world.times) + list(world.times)),
    )


def _closures(world: World, order: Order) -> st.SearchStrategy[Closure]:
    """Of any claim at any time: the key may be held, be committed later, or not be there at all."""
    return st.builds(
        lambda claim, valid_from, at: Closure(
            claim.claim_id, valid_from, at, "wrong" if at is None else "expired", order
        ),
        st.sampled_from(world.cast),
        st.sampled_from(world.times),
        st.sampled_from([None, None, *world.times]),
    )
