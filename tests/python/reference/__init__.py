"""An independent reference of the claims store: plain Python, quadratic, no SQL, to be compared with the product.

Units: every instant (valid time and ingest time alike) is a whole number of microseconds since 1970-01-01 UTC
(`micros` and `utc` convert), so an ingest bound finer than that is floored by the caller. Bounds are inclusive.
"""

from .ids import claim_id
from .model import Closure, Decision, Interval, Letter, Line, Version, micros, utc
from .store import Store
from .windows import window

__all__ = [
    "Closure",
    "Decision",
    "Interval",
    "Letter",
    "Line",
    "Store",
    "Version",
    "claim_id",
    "micros",
    "utc",
    "window",
]
