"""The values the reference works on."""

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Literal

from .ids import claim_id

Key = tuple[str, int]
"""(claim_id, valid_from)"""
Track = tuple[str, str, str | None]
"""(subject, predicate, scope): the contract's line, on which claims replace each other; null scopes are one scope"""
Order = tuple[int, str, int]
"""(ingested_at, run_id, row_seq): where a row stands in the order of commits"""

RANK = {"researched": 1, "derived": 2, "curated": 3}
DIRECT_TIERS = ("researched", "curated")
EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


def micros(instant: datetime) -> int:
    """Microseconds since the epoch of an aware datetime, exactly (a float timestamp would round)."""
    return (instant - EPOCH) // timedelta(microseconds=1)


def utc(instant: int) -> datetime:
    """The aware datetime of microseconds since the epoch; years 1 to 9999."""
    return EPOCH + timedelta(microseconds=instant)


@dataclass(frozen=True)
class Line:
    """One line of a direct write. `has_replaced_citation`: a cited row is a replaced version of its key."""

    subject: str
    predicate: str
    object: str
    scope: str | None = None
    observed_at: int | None = None
    valid_until: int | None = None
    dedup_key: str | None = None
    has_replaced_citation: bool = False

    @property
    def claim_id(self) -> str:
        return claim_id(self.subject, self.predicate, self.object, self.scope, self.dedup_key)

    @property
    def track(self) -> Track:
        return (self.subject, self.predicate, self.scope)


@dataclass(frozen=True)
class Version:
    """One stored assertion. `valid_to` is what was asserted, null for open-ended."""

    claim_id: str
    subject: str
    predicate: str
    object: str
    scope: str | None
    tier: str
    valid_from: int
    valid_to: int | None
    order: Order

    @property
    def key(self) -> Key:
        return (self.claim_id, self.valid_from)

    @property
    def track(self) -> Track:
        return (self.subject, self.predicate, self.scope)


@dataclass(frozen=True)
class Closure:
    """One row of the closures table; `closed_at` null means that the key never held."""

    claim_id: str
    valid_from: int
    closed_at: int | None
    reason: str
    order: Order

    @property
    def key(self) -> Key:
        return (self.claim_id, self.valid_from)


@dataclass(frozen=True)
class Interval:
    """What the window says of one key that is not retracted: it holds in [valid_from, valid_to)."""

    claim_id: str
    subject: str
    predicate: str
    object: str
    scope: str | None
    tier: str
    valid_from: int
    valid_to: int | None
    successor: Key | None
    arrival: Order

    @property
    def key(self) -> Key:
        return (self.claim_id, self.valid_from)

    @property
    def track(self) -> Track:
        return (self.subject, self.predicate, self.scope)

    @property
    def superseded_by(self) -> str | None:
        return self.successor[0] if self.successor else None

    @property
    def is_standing(self) -> bool:
        return self.valid_to is None and self.successor is None

    def contains(self, instant: int) -> bool:
        return self.valid_from <= instant and (self.valid_to is None or instant < self.valid_to)


@dataclass(frozen=True)
class Letter:
    """A dead letter of stage revise; `claim_ids` are the two that collide, in text order."""

    reason: str
    claim_ids: tuple[str, str]


@dataclass(frozen=True)
class Decision:
    """What became of one line (or of one expiry or retraction, kind `closed`), with the rows it stores.

    `valid_from`: landed and promoted lines, where they landed; restated ones, the stored key they restate;
    refused lines, the one asked for. `retired`: how many priors have the landed key as their successor and had not
    before; a key closed with reason `promoted` is not among them.
    """

    kind: Literal["landed", "promoted", "restated", "closed", "refused"]
    claim_id: str
    valid_from: int | None
    identifier: str | None = None
    retired: int = 0
    versions: tuple[Version, ...] = ()
    closures: tuple[Closure, ...] = ()
    letters: tuple[Letter, ...] = ()

    @property
    def landed(self) -> bool:
        return self.kind in ("landed", "promoted")
