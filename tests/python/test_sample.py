"""The sample's data and its hand-checked answers, held against each other by other means than the models'."""

import csv
import json
import re
from datetime import date
from pathlib import Path

import pytest

PROJECT = Path(__file__).resolve().parents[2]
CONGRESS = PROJECT / "samples" / "congress"
SECOND_LANDING_BEGINS = "2025-01-01"


def rows(path: Path) -> list[dict[str, str]]:
    with path.open(newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def terms() -> list[dict[str, str]]:
    return rows(CONGRESS / "terms-1.csv") + rows(CONGRESS / "terms-2.csv")


EXPECTED = rows(PROJECT / "seeds" / "expected" / "congress_seats.csv")


@pytest.fixture(scope="module")
def terms_of() -> dict[str, list[dict[str, str]]]:
    """Each member's terms in order, by full name."""
    names = {row["bioguide"]: row["full_name"] for row in rows(CONGRESS / "legislators.csv")}
    found: dict[str, list[dict[str, str]]] = {name: [] for name in names.values()}
    for term in sorted(terms(), key=lambda term: int(term["term"])):
        found[names[term["bioguide"]]].append(term)
    return found


def wording(term: dict[str, str]) -> re.Pattern[str]:
    """What the words of a term's seat must look like, the state's name apart."""
    if term["chamber"] == "sen":
        return re.compile(rf"Senator for .+ \(class {term['class']}\)")
    if term["district"] == "0":
        return re.compile(r"Representative for .+, at large|(Delegate|Resident Commissioner) for .+")
    return re.compile(rf"Representative for .+, district {term['district']}")


def days(earlier: str, later: str) -> int:
    return (date.fromisoformat(later) - date.fromisoformat(earlier)).days


def test_the_two_landings_are_cut_by_the_terms_start_and_lose_none():
    first, second = rows(CONGRESS / "terms-1.csv"), rows(CONGRESS / "terms-2.csv")
    assert all(term["start"] < SECOND_LANDING_BEGINS for term in first)
    assert all(term["start"] >= SECOND_LANDING_BEGINS for term in second)
    numbers: dict[str, list[int]] = {}
    for term in first + second:
        numbers.setdefault(term["bioguide"], []).append(int(term["term"]))
    assert all(sorted(held) == list(range(len(held))) for held in numbers.values())


def test_no_stint_of_the_first_landing_ends_unseen():
    """What the first landing claims open-ended, the second continues: nobody has to be expired."""
    last = {term["bioguide"]: term for term in rows(CONGRESS / "terms-1.csv")}
    known_until = max(term["start"] for term in last.values())
    next_terms = {term["bioguide"]: term for term in reversed(rows(CONGRESS / "terms-2.csv"))}
    for member, term in last.items():
        if term["end"] >= known_until and member in next_terms:
            assert days(term["end"], next_terms[member]["start"]) <= 40


@pytest.mark.parametrize("seat", EXPECTED, ids=lambda seat: f"{seat['subject']} {seat['started_on']}")
def test_a_hand_read_seat_begins_and_ends_with_terms_of_its_member(seat, terms_of):
    held = terms_of[seat["subject"]]
    (first,) = [term for term in held if term["start"] == seat["started_on"]]
    assert wording(first).fullmatch(seat["seat"])
    if seat["left_on"]:
        (last,) = [term for term in held if term["end"] == seat["left_on"]]
        following = [term["start"] for term in held if term["start"] > last["start"]]
        assert all(days(last["end"], start) > 40 for start in following)


def test_every_term_of_the_hand_read_members_is_covered(terms_of):
    for subject in {seat["subject"] for seat in EXPECTED}:
        seats = [seat for seat in EXPECTED if seat["subject"] == subject]
        for term in terms_of[subject]:
            begun = [seat for seat in seats if seat["started_on"] <= term["start"]]
            assert wording(term).fullmatch(begun[-1]["seat"])
            assert not begun[-1]["left_on"] or term["end"] <= begun[-1]["left_on"]


def test_the_unsupported_claim_cites_a_footnote_that_is_not_there():
    (line,) = (PROJECT / "samples" / "unsupported.jsonl").read_text().splitlines()
    (citation,) = json.loads(line)["claim"]["evidence"]
    assert citation["table"] == "congress_notes"
    assert citation["seq"] >= len(rows(CONGRESS / "notes.csv"))
