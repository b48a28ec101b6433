"""What becomes of one line of a direct write, decided against everything stored so far.

Choices where the contract is silent:
- The malformed check and observed-order look at the valid_from asked for, also when a promotion lands earlier;
  the collision check looks at the valid_from where the line lands.
- A line that could both promote a lower interval and resolve a collision pair (it is live at a lower tier and that
  interval is one of the pair) promotes: rule (2) comes before rule (3). The pair stays unresolved.
- Rule (3) asks nothing of the tier: a researched line on a curated pair lands beside it and resolves nothing.
- Several lower intervals around the valid_from: the promotion lands at the earliest start, and the others stay.
  A promotion that lands inside an interval closes no key, even if the claim stands again further on.
- Several standing lower intervals after an open-ended line: all of them are closed as promoted.
- A higher-tier line whose key is held but answers nowhere (replaced at its own start) is no promotion. It lands as a
  new version of its key, and so keeps that key's arrival.
- A landing that collides writes its letter even where an earlier version of the same key had collided already.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from .model import RANK, Closure, Decision, Interval, Key, Letter, Line, Order, Version
from .windows import held_keys, is_collision_pair, window


@dataclass(frozen=True)
class Write:
    """A line with everything its decision depends on but the history; `valid_from` is the one asked for."""

    line: Line
    tier: str
    valid_from: int
    order: Order

    @property
    def is_open(self) -> bool:
        return self.line.valid_until is None


def decide(w: Write, versions: Sequence[Version], closures: Sequence[Closure]) -> Decision:
    """The order of checks is the contract's: form, held or restated, citations, observed order, collision."""
    before = window(versions, closures)
    if _is_malformed(w):
        return _refused(w, "MemoryClaimMalformed")
    restated = _restated_key(w, before, versions, closures)
    if restated is not None:
        return Decision("restated", w.line.claim_id, restated[1])
    if w.line.has_replaced_citation:
        return _refused(w, "MemoryCitationNotLive")
    if any(_is_out_of_order(w, q) for q in before):
        return _refused(w, "MemoryObservationOutOfOrder")
    return _landing(w, before, versions, closures)


def _refused(w: Write, identifier: str) -> Decision:
    return Decision("refused", w.line.claim_id, w.valid_from, identifier)


def _is_malformed(w: Write) -> bool:
    scope = [] if w.line.scope is None else [w.line.scope]
    texts = [w.line.subject, w.line.predicate, w.line.object, *scope]
    return (
        any(not text.strip() or "\0" in text for text in texts)
        or w.line.dedup_key == ""
        or (w.line.valid_until is not None and w.line.valid_until <= w.valid_from)
    )


def _restated_key(
    w: Write, before: list[Interval], versions: Sequence[Version], closures: Sequence[Closure]
) -> Key | None:
    """The stored key that the line says again, null if it says something new."""
    held = held_keys(versions, closures)
    if w.line.dedup_key is not None:
        return min((key for key in held if key[0] == w.line.claim_id), default=None)
    same = held.get((w.line.claim_id, w.valid_from))
    if same is not None and same.closure is None and RANK[same.version.tier] >= RANK[w.tier]:
        return same.version.key
    live = [p for p in _live(w, before) if RANK[p.tier] >= RANK[w.tier] and not _resolves(w, p, before)]
    return max((p.key for p in live), default=None)


def _live(w: Write, before: list[Interval]) -> list[Interval]:
    return [p for p in before if p.claim_id == w.line.claim_id and p.contains(w.valid_from)]


def _resolves(w: Write, p: Interval, before: list[Interval]) -> bool:
    """p is one of an unresolved collision pair, and w is the later revision that may resolve it."""
    return w.is_open and w.valid_from > p.valid_from and any(_is_unresolved_pair(p, q) for q in before)


def _is_unresolved_pair(p: Interval, q: Interval) -> bool:
    return is_collision_pair(p, q) and p.successor is None and q.successor is None


def _is_out_of_order(w: Write, q: Interval) -> bool:
    """q says something else from a later instant on, which the line would reach."""
    return (
        q.track == w.line.track
        and q.successor is None
        and q.object != w.line.object
        and q.valid_from > w.valid_from
        and (w.line.valid_until is None or w.line.valid_until > q.valid_from)
    )


def _landing(w: Write, before: list[Interval], versions: Sequence[Version], closures: Sequence[Closure]) -> Decision:
    promoted = _promoted_from_inside(w, before)
    closed = _promoted_from_before(w, before) if promoted is None else []
    landed = _version(w, w.valid_from if promoted is None else promoted)
    shut = tuple(Closure(p.claim_id, p.valid_from, None, "promoted", w.order) for p in closed)
    after = window([*versions, landed], [*closures, *shut])
    return Decision(
        "landed" if promoted is None and not closed else "promoted",
        landed.claim_id,
        landed.valid_from,
        retired=_retired(landed.key, before, after),
        versions=(landed,),
        closures=shut,
        letters=_letters(landed, before),
    )


def _promoted_from_inside(w: Write, before: list[Interval]) -> int | None:
    """The start of the lower interval that the line promotes.

    Not reached by keyed lines (their claim would be held), and an interval of an equal or higher tier around the
    valid_from can only be there if the line resolves its pair.
    """
    live = _live(w, before)
    if any(RANK[p.tier] >= RANK[w.tier] for p in live):
        return None
    return min((p.valid_from for p in live), default=None)


def _promoted_from_before(w: Write, before: list[Interval]) -> list[Interval]:
    """The lower intervals of the claim that start later and that an open-ended line takes over."""
    return [
        p
        for p in before
        if w.is_open
        and p.claim_id == w.line.claim_id
        and p.is_standing
        and p.valid_from > w.valid_from
        and RANK[p.tier] < RANK[w.tier]
    ]


def _version(w: Write, valid_from: int) -> Version:
    line = w.line
    return Version(
        claim_id=line.claim_id,
        subject=line.subject,
        predicate=line.predicate,
        object=line.object,
        scope=line.scope,
        tier=w.tier,
        valid_from=valid_from,
        valid_to=line.valid_until,
        order=w.order,
    )


def _letters(landed: Version, before: list[Interval]) -> tuple[Letter, ...]:
    others = sorted(q.claim_id for q in before if is_collision_pair(landed, q))
    return tuple(Letter("unscoped-collision", _pair(landed.claim_id, other)) for other in others)


def _pair(one: str, other: str) -> tuple[str, str]:
    return (one, other) if one < other else (other, one)


def _retired(landed: Key, before: list[Interval], after: list[Interval]) -> int:
    already = {p.key for p in before if p.successor == landed}
    return sum(p.successor == landed and p.key not in already for p in after)
