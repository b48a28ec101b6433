"""Instants in text: bounds of reads, and stored instants. Whole numbers only; a float would round the last digits.

A text is RFC 3339 with an offset: `T` and `Z` in either case, or a blank for the T, as its section 5.6 allows.
`24:00` is no RFC 3339 time and refuses. A leap second (`:60`) refuses too: stored types cannot tell it from the second
after it, and a bound that moved in silence would answer another question. `-00:00` is UTC.
"""

import re
from dataclasses import dataclass

from contextful_cli.errors import ContextfulError

NS = 1_000_000_000
US_NS = 1_000
DAY_SECONDS = 86_400
MAX_DAY_ORDINAL = 3_652_059  # 9999-12-31
EPOCH_ORDINAL = 719_163  # 1970-01-01

MIN_NS = -(EPOCH_ORDINAL - 1) * DAY_SECONDS * NS  # 0001-01-01T00:00:00Z
MAX_NS = (MAX_DAY_ORDINAL - EPOCH_ORDINAL + 1) * DAY_SECONDS * NS - 1
# What DuckDB reads as TIMESTAMP_NS: from 1677-09-22 on, and up to the tick before the one that means infinity.
MIN_INGEST_NS = -9_223_286_400 * NS
MAX_INGEST_NS = 2**63 - 2

_DATE = re.compile(r"([0-9]{4})-([0-9]{2})-([0-9]{2})")
_INSTANT = re.compile(
    r"([0-9]{4})-([0-9]{2})-([0-9]{2})[Tt ]([0-9]{2}):([0-9]{2}):([0-9]{2})(?:\.([0-9]+))?"
    r"(?:([Zz])|([+-])([0-9]{2}):([0-9]{2}))"
)
_DAYS = (31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)


@dataclass(frozen=True, slots=True)
class Bound:
    """A bound of a read.

    name: the argument's name. text: its echo, RFC 3339 UTC with nine digits. is_inclusive: what the echo says.
    ns: the last instant, in ns since 1970 UTC, that is within the bound; for an exclusive one a tick before `text`.
    """

    name: str
    text: str
    is_inclusive: bool
    ns: int

    @property
    def us(self) -> int:
        """The last whole µs within the bound: for the clocks that hold µs (valid and available time)."""
        return self.ns // US_NS

    def timestamptz(self) -> str:
        """The inclusive bound as a text that DuckDB casts to TIMESTAMPTZ."""
        return format_us(self.us)

    def timestamp_ns(self) -> str:
        """The inclusive bound as a text that DuckDB casts to TIMESTAMP_NS (UTC, no offset)."""
        return format_ns(self.ns).removesuffix("Z")


def valid_bound(name: str, text: str) -> Bound:
    """A bound on valid or available time: RFC 3339, or a date, which means before the next midnight UTC."""
    return _bound(name, text, US_NS)


def ingest_bound(name: str, text: str) -> Bound:
    """A bound on commit time, clamped to what TIMESTAMP_NS holds (1677 to 2262)."""
    bound = _bound(name, text, 1)
    if MIN_INGEST_NS <= bound.ns <= MAX_INGEST_NS:
        return bound
    ns = max(MIN_INGEST_NS, min(bound.ns, MAX_INGEST_NS))
    return Bound(name, format_ns(ns), True, ns)


def cut_to_now(bound: Bound, now_ns: int) -> Bound:
    """The bound, or `now` as an inclusive one where the bound is later: what will be committed is not yet an answer."""
    return bound if bound.ns <= now_ns else Bound(bound.name, format_ns(now_ns), True, now_ns)


def since(name: str, text: str) -> Bound:
    """An inclusive lower bound; a date is its own midnight UTC."""
    ns = _midnight(name, text) if _DATE.fullmatch(text) else _instant(name, text, digits=9)
    return Bound(name, format_ns(ns), True, ns)


def stored(name: str, text: str) -> int:
    """A stored instant as µs since 1970 UTC. Refuses a bare date and anything finer than a µs; never rounds."""
    if _DATE.fullmatch(text):
        raise malformed(name, text, f"a date alone is no instant; write the time and the offset, as {text}T00:00:00Z")
    return _instant(name, text, digits=6) // US_NS


def stored_deadline(name: str, text: str) -> int:
    """As `stored`, but a bare date is the next midnight UTC: a deadline's day still counts."""
    if not _DATE.fullmatch(text):
        return stored(name, text)
    return _within_years(name, text, _midnight(name, text) + DAY_SECONDS * NS) // US_NS


def format_ns(ns: int) -> str:
    """RFC 3339 UTC with nine fractional digits."""
    seconds, fraction = divmod(ns, NS)
    return f"{_format_seconds(seconds)}.{fraction:09d}Z"


def format_us(us: int) -> str:
    """RFC 3339 UTC with six fractional digits."""
    seconds, fraction = divmod(us, 1_000_000)
    return f"{_format_seconds(seconds)}.{fraction:06d}Z"


def malformed(name: str, text: object, why: str) -> ContextfulError:
    """The refusal of an instant, naming the argument and what was given."""
    return ContextfulError("InstantMalformed", f"{name} `{text}`: {why}")


def _bound(name: str, text: str, tick: int) -> Bound:
    """tick: the grid, in ns, of the values that the bound is compared with."""
    if not _DATE.fullmatch(text):
        ns = _instant(name, text, digits=9)
        return Bound(name, format_ns(ns), True, ns)
    midnight = _midnight(name, text) + DAY_SECONDS * NS
    # The day after 9999-12-31 has no date to be written as; every storable instant lies before it.
    if midnight > MAX_NS:
        return Bound(name, format_ns(MAX_NS), True, MAX_NS)
    return Bound(name, format_ns(midnight), False, midnight - tick)


def _midnight(name: str, text: str) -> int:
    year, month, day = (int(part) for part in text.split("-"))
    return _ordinal_seconds(name, text, year, month, day) * NS


def _instant(name: str, text: str, digits: int) -> int:
    """ns since 1970 UTC. digits: how many fractional digits count; trailing zeros beyond them are no precision."""
    match = _INSTANT.fullmatch(text)
    if match is None:
        raise malformed(name, text, "write RFC 3339 with an offset, such as 2026-01-31T09:30:00Z")
    year, month, day, hour, minute, second = (int(part) for part in match.groups()[:6])
    if hour > 23 or minute > 59 or second > 59:
        raise malformed(name, text, "hours go to 23, minutes and seconds to 59 (a leap second is not stored)")
    fraction = (match[7] or "").rstrip("0")
    if len(fraction) > digits:
        raise malformed(name, text, f"at most {digits} fractional digits are held, and none is rounded away")
    seconds = _ordinal_seconds(name, text, year, month, day) + hour * 3600 + minute * 60 + second
    ns = (seconds - _offset_seconds(name, text, match)) * NS + int(fraction.ljust(9, "0"))
    return _within_years(name, text, ns)


def _offset_seconds(name: str, text: str, match: re.Match[str]) -> int:
    if match[8]:
        return 0
    hours, minutes = int(match[10]), int(match[11])
    if hours > 23 or minutes > 59:
        raise malformed(name, text, "an offset goes to 23:59")
    return (hours * 3600 + minutes * 60) * (-1 if match[9] == "-" else 1)


def _within_years(name: str, text: str, ns: int) -> int:
    if not MIN_NS <= ns <= MAX_NS:
        raise malformed(name, text, "in UTC it lies outside the years 0001 to 9999")
    return ns


def _ordinal_seconds(name: str, text: str, year: int, month: int, day: int) -> int:
    """Seconds from 1970-01-01 to the date's midnight."""
    if not (1 <= month <= 12 and 1 <= day <= _days(year, month)) or year < 1:
        raise malformed(name, text, "there is no such day")
    before = year - 1
    days = before * 365 + before // 4 - before // 100 + before // 400
    days += sum(_days(year, earlier) for earlier in range(1, month)) + day
    return (days - EPOCH_ORDINAL) * DAY_SECONDS


def _days(year: int, month: int) -> int:
    is_leap = year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)
    return 29 if month == 2 and is_leap else _DAYS[month - 1]


def _format_seconds(seconds: int) -> str:
    from datetime import date

    days, rest = divmod(seconds, DAY_SECONDS)
    day = date.fromordinal(days + EPOCH_ORDINAL)
    return f"{day.isoformat()}T{rest // 3600:02d}:{rest // 60 % 60:02d}:{rest % 60:02d}"
