"""Bounds and stored instants: whole numbers, nothing rounded, nothing out of range."""

from datetime import UTC, date, datetime, timedelta, timezone

import duckdb
import pytest
from hypothesis import given
from hypothesis import strategies as st

from contextful_cli import instants
from contextful_cli.errors import ContextfulError

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
DATES = st.dates()
NANOSECONDS = st.integers(instants.MIN_NS, instants.MAX_NS)
OFFSETS = st.integers(-23 * 60 - 59, 23 * 60 + 59)


def microseconds(moment: datetime) -> int:
    return (moment - EPOCH) // timedelta(microseconds=1)


def refused(call, text: str) -> str:
    with pytest.raises(ContextfulError) as caught:
        call("observed_at", text)
    assert caught.value.identifier == "InstantMalformed"
    assert "observed_at" in caught.value.message
    return caught.value.message


@given(st.datetimes(min_value=datetime(1, 1, 2), max_value=datetime(9999, 12, 30)), OFFSETS)
def test_a_stored_instant_is_the_utc_instant(local, minutes):
    moment = local.replace(tzinfo=timezone(timedelta(minutes=minutes)))
    sign, off = "-" if minutes < 0 else "+", abs(minutes)
    text = f"{local.isoformat()}{sign}{off // 60:02d}:{off % 60:02d}"
    assert instants.stored("at", text) == microseconds(moment)
    assert instants.valid_bound("at", text).us == microseconds(moment)


@given(NANOSECONDS)
def test_a_bound_keeps_nine_digits_and_comes_back_from_its_echo(ns):
    bound = instants.valid_bound("at", instants.format_ns(ns))
    assert (bound.ns, bound.text, bound.is_inclusive) == (ns, instants.format_ns(ns), True)
    assert len(bound.text.partition(".")[2]) == len("123456789Z")


@given(NANOSECONDS, NANOSECONDS)
def test_echoes_sort_as_their_instants(one, other):
    assert (one < other) == (instants.format_ns(one) < instants.format_ns(other))


@given(NANOSECONDS, st.integers(instants.MIN_NS // 1000, instants.MAX_NS // 1000))
def test_a_bound_compares_with_microseconds_as_its_nanoseconds_do(ns, stored_us):
    assert (stored_us <= instants.valid_bound("at", instants.format_ns(ns)).us) == (stored_us * 1000 <= ns)


@given(st.dates(max_value=date(9999, 12, 30)), st.integers(-2, 2))
def test_a_date_bound_ends_before_the_next_midnight(day, ticks):
    midnight = microseconds(datetime(day.year, day.month, day.day, tzinfo=UTC) + timedelta(days=1))
    bound = instants.valid_bound("at", day.isoformat())
    assert not bound.is_inclusive
    assert bound.text == instants.format_us(midnight).removesuffix("Z") + "000Z"
    assert (midnight + ticks <= bound.us) == (midnight + ticks < midnight)


def test_a_date_bound_of_commit_time_ends_a_nanosecond_before_midnight():
    bound = instants.ingest_bound("as_of_ingest", "2026-01-31")
    assert bound.text == "2026-02-01T00:00:00.000000000Z"
    assert bound.timestamp_ns() == "2026-01-31T23:59:59.999999999"
    assert not bound.is_inclusive


def test_the_last_day_of_all_has_no_next_midnight():
    bound = instants.valid_bound("at", "9999-12-31")
    assert (bound.text, bound.is_inclusive) == ("9999-12-31T23:59:59.999999999Z", True)


@pytest.mark.parametrize("text", ["0001-01-01T00:00:00Z", "1600-01-01", "1677-09-21T23:59:59Z"])
def test_commit_bounds_before_the_range_are_clamped(text):
    bound = instants.ingest_bound("as_of_ingest", text)
    assert (bound.ns, bound.text) == (instants.MIN_INGEST_NS, "1677-09-22T00:00:00.000000000Z")


@pytest.mark.parametrize("text", ["2262-04-12T00:00:00Z", "9999-12-31", "9999-12-31T23:59:59.999999999Z"])
def test_commit_bounds_after_the_range_are_clamped(text):
    bound = instants.ingest_bound("as_of_ingest", text)
    assert (bound.ns, bound.is_inclusive) == (instants.MAX_INGEST_NS, True)


@given(st.integers(instants.MIN_INGEST_NS, instants.MAX_INGEST_NS))
def test_duckdb_reads_commit_bounds_to_the_nanosecond(ns):
    text = instants.ingest_bound("as_of_ingest", instants.format_ns(ns)).timestamp_ns()
    assert duckdb.execute("select epoch_ns(cast($1 as timestamp_ns))", [text]).fetchone() == (ns,)


@given(st.integers(instants.MIN_NS // 1000, instants.MAX_NS // 1000))
def test_duckdb_reads_valid_bounds_to_the_microsecond(us):
    text = instants.valid_bound("at", instants.format_us(us)).timestamptz()
    assert duckdb.execute("select epoch_us(cast($1 as timestamptz))", [text]).fetchone() == (us,)


def test_a_commit_bound_after_now_is_cut_to_now():
    now = instants.ingest_bound("n", "2026-01-31T09:30:00Z").ns
    later = instants.cut_to_now(instants.ingest_bound("as_of_ingest", "2026-01-31"), now)
    assert (later.ns, later.text, later.is_inclusive) == (now, "2026-01-31T09:30:00.000000000Z", True)
    earlier = instants.ingest_bound("as_of_ingest", "2026-01-30")
    assert instants.cut_to_now(earlier, now) is earlier


def test_since_is_the_midnight_of_its_own_day():
    bound = instants.since("since", "2026-01-31")
    assert (bound.text, bound.is_inclusive) == ("2026-01-31T00:00:00.000000000Z", True)
    assert instants.since("since", "2026-01-31T09:00:00+01:00").text == "2026-01-31T08:00:00.000000000Z"


def test_a_bare_date_is_no_stored_instant_but_a_deadline():
    assert "a date alone is no instant" in refused(instants.stored, "2026-01-31")
    expected = instants.stored("at", "2026-02-01T00:00:00Z")
    assert instants.stored_deadline("deadline_at", "2026-01-31") == expected
    refused(instants.stored_deadline, "9999-12-31")


@pytest.mark.parametrize(
    ("text", "same_as"),
    [
        ("2026-01-31t09:30:00z", "2026-01-31T09:30:00Z"),
        ("2026-01-31 09:30:00Z", "2026-01-31T09:30:00Z"),
        ("2026-01-31T09:30:00-00:00", "2026-01-31T09:30:00Z"),
        ("2026-01-31T09:30:00.1234560000Z", "2026-01-31T09:30:00.123456Z"),
        ("2024-02-29T23:59:59+23:59", "2024-02-29T00:00:59Z"),
    ],
)
def test_texts_that_mean_the_same(text, same_as):
    assert instants.stored("at", text) == instants.stored("at", same_as)


@pytest.mark.parametrize(
    "text",
    [
        "2026-01-31T09:30:00",
        "2026-01-31T24:00:00Z",
        "2016-12-31T23:59:60Z",
        "2026-02-29T00:00:00Z",
        "2026-13-01T00:00:00Z",
        "2026-00-01T00:00:00Z",
        "2026-01-31T09:30Z",
        "2026-01-31T09:30:00.Z",
        "2026-01-31T09:30:00+0100",
        "2026-01-31T09:30:00+24:00",
        "2026-01-31T09:30:00Z\n",
        "\u0662\u0660\u0662\u0666-01-31T09:30:00Z",
        "0000-01-01T00:00:00Z",
        "0001-01-01T00:00:00+00:01",
        "9999-12-31T23:59:59-00:01",
        "+12026-01-31T09:30:00Z",
        "now",
        "",
    ],
)
def test_texts_that_are_no_instant(text):
    refused(instants.stored, text)
    refused(instants.valid_bound, text)
    refused(instants.ingest_bound, text)


def test_finer_than_it_is_held_refuses():
    assert "at most 6 fractional digits" in refused(instants.stored, "2026-01-31T09:30:00.1234567Z")
    assert instants.valid_bound("at", "2026-01-31T09:30:00.123456789Z").ns % 1000 == 789
    refused(instants.valid_bound, "2026-01-31T09:30:00.1234567891Z")


@pytest.mark.parametrize("text", ["2026-02-30", "2025-02-29", "0000-01-01", "2026-1-1"])
def test_days_that_are_none(text):
    refused(instants.valid_bound, text)
    refused(instants.since, text)
