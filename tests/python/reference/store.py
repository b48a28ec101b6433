"""The store: rows in, decisions out, windows and recall on demand.

Choices where the contract is silent:
- Expiry and retraction see the keys of the window: a retracted key is no match (`ClaimUnknown`), an expired one is,
  and the newest closure counts, so that an expiry can be corrected by naming valid_from.
- An expiry without valid_from takes, of several intervals that contain `at`, the one that starts last; with
  valid_from, `at` need not lie inside the interval. `at` not after the start: `ArgumentMalformed`.
- The newest interval, which a retraction takes by default, is the one that starts last, empty intervals included.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field

from .decisions import Write, decide
from .model import RANK, Closure, Decision, Interval, Letter, Line, Order, Version
from .windows import window


@dataclass
class Store:
    """One claims table with its side tables. Rows may also be placed in it directly."""

    versions: list[Version] = field(default_factory=list)
    closures: list[Closure] = field(default_factory=list)
    letters: list[Letter] = field(default_factory=list)

    def write(self, line: Line, stamp: int, tier: str = "curated", run_id: str = "") -> Decision:
        """One line in a commit of its own: without observed_at it is valid from the stamp on."""
        return self._write(line, tier, stamp, (stamp, run_id, 0))

    def write_batch(self, lines: Sequence[Line], stamp: int, tier: str = "curated", run_id: str = "") -> list[Decision]:
        """The lines of one commit, each decided against those before it; without observed_at: stamp + line number."""
        return [self._write(line, tier, stamp + seq + 1, (stamp, run_id, seq)) for seq, line in enumerate(lines)]

    def expire(self, claim_id: str, at: int, stamp: int, valid_from: int | None = None, run_id: str = "") -> Decision:
        """It held until `at`. Kind closed; or refused with ClaimUnknown or ArgumentMalformed."""
        found = [p for p in self._keys_of(claim_id, valid_from) if valid_from is not None or p.contains(at)]
        if not found:
            return Decision("refused", claim_id, valid_from, "ClaimUnknown")
        if at <= found[-1].valid_from:
            return Decision("refused", claim_id, found[-1].valid_from, "ArgumentMalformed")
        return self._close(found[-1], at, "expired", (stamp, run_id, 0))

    def retract(
        self, claim_id: str, reason: str, stamp: int, valid_from: int | None = None, run_id: str = ""
    ) -> Decision:
        """It never held. Kind closed; or refused with ClaimUnknown."""
        found = self._keys_of(claim_id, valid_from)
        if not found:
            return Decision("refused", claim_id, valid_from, "ClaimUnknown")
        return self._close(found[-1], None, reason, (stamp, run_id, 0))

    def window(self, as_of: int | None = None) -> list[Interval]:
        """Every key not retracted, with its interval, by (claim_id, valid_from)."""
        return window(self.versions, self.closures, as_of)

    def recall(
        self,
        subject: str,
        observed_at: int,
        as_of: int | None = None,
        scope: str | None = None,
        predicate: str | None = None,
    ) -> list[Interval]:
        """What held of the subject at `observed_at` (inclusive), in recall order; the gate and limits aside."""
        answering = [
            p
            for p in self.window(as_of)
            if p.subject == subject
            and p.contains(observed_at)
            and scope in (None, p.scope)
            and predicate in (None, p.predicate)
        ]
        return sorted(answering, key=lambda p: (-RANK[p.tier], -p.valid_from, p.claim_id))

    def _write(self, line: Line, tier: str, instant: int, order: Order) -> Decision:
        valid_from = instant if line.observed_at is None else line.observed_at
        decision = decide(Write(line, tier, valid_from, order), self.versions, self.closures)
        self.versions.extend(decision.versions)
        self.closures.extend(decision.closures)
        self.letters.extend(decision.letters)
        return decision

    def _keys_of(self, claim_id: str, valid_from: int | None) -> list[Interval]:
        """By valid_from, the latest last."""
        return [p for p in self.window() if p.claim_id == claim_id and valid_from in (None, p.valid_from)]

    def _close(self, p: Interval, closed_at: int | None, reason: str, order: Order) -> Decision:
        closure = Closure(p.claim_id, p.valid_from, closed_at, reason, order)
        self.closures.append(closure)
        return Decision("closed", p.claim_id, p.valid_from, closures=(closure,))
