"""The supersession window: what holds when, and what replaced it."""

from collections.abc import Iterable
from dataclasses import dataclass

from .model import DIRECT_TIERS, RANK, Closure, Interval, Key, Order, Version


@dataclass(frozen=True)
class Held:
    """A key as the store holds it: newest version, arrival, and the closure that applies to it, if any."""

    version: Version
    arrival: Order
    closure: Closure | None

    @property
    def is_retracted(self) -> bool:
        return self.closure is not None and self.closure.closed_at is None

    @property
    def expired_at(self) -> int | None:
        return self.closure.closed_at if self.closure else None


def window(versions: Iterable[Version], closures: Iterable[Closure], as_of: int | None = None) -> list[Interval]:
    """The intervals of every key that is not retracted, by (claim_id, valid_from).

    `as_of` is inclusive and cuts versions and closures first, so that a later row changes nothing before it.
    Empty intervals (valid_to <= valid_from) are kept here: they answer nowhere, but they are held.
    """
    remaining = [held for held in held_keys(versions, closures, as_of).values() if not held.is_retracted]
    intervals = [_interval(held, remaining) for held in remaining]
    return sorted(intervals, key=lambda interval: interval.key)


def held_keys(versions: Iterable[Version], closures: Iterable[Closure], as_of: int | None = None) -> dict[Key, Held]:
    """Every key with a version committed up to `as_of`, retracted ones included; a closure alone makes no key."""
    seen = [version for version in versions if _is_committed(version.order, as_of)]
    shut = [closure for closure in closures if _is_committed(closure.order, as_of)]
    return {
        key: _held([v for v in seen if v.key == key], [c for c in shut if c.key == key])
        for key in {version.key for version in seen}
    }


def is_collision_pair(p: Version | Interval, s: Version | Interval) -> bool:
    """Two unscoped direct writes on one line that say different things from one instant on."""
    return (
        p.track == s.track
        and p.scope is None
        and p.tier in DIRECT_TIERS
        and s.tier in DIRECT_TIERS
        and p.valid_from == s.valid_from
        and p.object != s.object
    )


def _is_committed(order: Order, as_of: int | None) -> bool:
    return as_of is None or order[0] <= as_of


def _held(versions: list[Version], closures: list[Closure]) -> Held:
    """A closure with the very order of a version of its key neither applies to it nor reopens it (no write does so)."""
    newest = max(versions, key=lambda version: version.order)
    closure = max(closures, key=lambda closure: closure.order, default=None)
    applies = closure is not None and closure.order > newest.order
    return Held(newest, _arrival(versions, closures, newest), closure if applies else None)


def _arrival(versions: list[Version], closures: list[Closure], newest: Version) -> Order:
    """The first version since the key was last reopened; a closure that still applies does not reopen."""
    earlier = [closure.order for closure in closures if closure.order < newest.order]
    return min(version.order for version in versions if not earlier or version.order > max(earlier))


def _interval(p: Held, remaining: list[Held]) -> Interval:
    successor = _successor(p, remaining)
    ends = [p.version.valid_to, p.expired_at, successor.version.valid_from if successor else None]
    return Interval(
        claim_id=p.version.claim_id,
        subject=p.version.subject,
        predicate=p.version.predicate,
        object=p.version.object,
        scope=p.version.scope,
        tier=p.version.tier,
        valid_from=p.version.valid_from,
        valid_to=min((end for end in ends if end is not None), default=None),
        successor=successor.version.key if successor else None,
        arrival=p.arrival,
    )


def _successor(p: Held, remaining: list[Held]) -> Held | None:
    """The earliest arrival that replaces p. Arrivals are unique in a lake; were two equal, the lower key would win."""
    replacing = [s for s in remaining if _replaces(s, p)]
    return min(replacing, key=lambda s: (s.arrival, s.version.key), default=None)


def _replaces(s: Held, p: Held) -> bool:
    return (
        s.version.track == p.version.track
        and s.arrival > p.arrival
        and RANK[s.version.tier] >= RANK[p.version.tier]
        and s.version.valid_from >= p.version.valid_from
        and _contradicts(s.version, p.version)
        and (p.expired_at is None or p.expired_at > s.version.valid_from)
        and not is_collision_pair(p.version, s.version)
    )


def _contradicts(s: Version, p: Version) -> bool:
    """Open means open as asserted: an expiry does not make a claim bounded."""
    return (s.valid_to is None and p.valid_to is None) or s.valid_from == p.valid_from
