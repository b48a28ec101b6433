"""Expiry and retraction: what they end, what they leave, and how a later write reopens. Expected values by hand."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from reference import claim_id
from writing import Facts, claim, day, fresh, told

from contextful_cli import instants
from contextful_cli.settings import Home

D1, D2, D3, D4, D5 = (told(day(number)) for number in range(1, 6))

pytestmark = pytest.mark.rule("revise.retention-default")


@pytest.fixture(scope="module")
def table(compiled: Home, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Facts]:
    """One table for all tests: their subjects differ, and so they never meet."""
    with fresh(compiled, tmp_path_factory.mktemp("closures") / "home") as opened_table:
        yield opened_table


@pytest.fixture
def facts(table: Facts, request: pytest.FixtureRequest) -> Facts:
    """The table, about a subject that no other test names."""
    table.subject = request.node.nodeid
    return table


def one(facts: Facts, object: str) -> str:
    """The id of the claim that this one leads the subject."""
    return claim_id(facts.subject, "lead", object)


def test_an_expired_claim_stays_ended(facts: Facts) -> None:
    facts.write(day(1))
    assert facts.end(one(facts, "Mira"), at=day(3)) == D1
    assert facts.windows() == [("Mira", D1, D3, None)]
    stored = (one(facts, "Mira"), instants.stored("", day(1)), instants.stored("", day(3)), "expired")
    assert facts.closures() == [stored]
    assert facts.stored("valid_to") == [(None,)]  # what was asserted stays as it was


def test_an_expiry_before_a_later_claim_leaves_a_gap(facts: Facts) -> None:
    facts.write(day(1))
    facts.write(day(3), object="Ben")
    facts.end(one(facts, "Mira"), at=day(2))
    assert facts.windows() == [("Mira", D1, D2, None), ("Ben", D3, None, None)]


def test_an_expiry_at_the_later_claim_s_start_means_no_successor(facts: Facts) -> None:
    facts.write(day(1))
    facts.write(day(3), object="Ben")
    facts.end(one(facts, "Mira"), at=day(3), valid_from=day(1))
    assert facts.windows() == [("Mira", D1, D3, None), ("Ben", D3, None, None)]


def test_an_expiry_after_the_later_claim_s_start_changes_nothing(facts: Facts) -> None:
    facts.write(day(1))
    facts.write(day(3), object="Ben")
    facts.end(one(facts, "Mira"), at=day(4), valid_from=day(1))
    assert facts.windows() == [("Mira", D1, D3, "Ben"), ("Ben", D3, None, None)]


def test_the_newest_expiry_counts(facts: Facts) -> None:
    facts.write(day(1))
    facts.end(one(facts, "Mira"), at=day(3))
    facts.end(one(facts, "Mira"), at=day(2))
    assert facts.windows() == [("Mira", D1, D2, None)]
    assert facts.end(one(facts, "Mira"), at=day(5)) == "ClaimUnknown"  # no interval contains it now
    assert facts.end(one(facts, "Mira"), at=day(5), valid_from=day(1)) == D1
    assert facts.windows() == [("Mira", D1, D5, None)]


def test_an_expiry_takes_the_interval_that_contains_it(facts: Facts) -> None:
    for number, object in ((1, "Mira"), (2, "Ben"), (4, "Mira")):
        facts.write(day(number), object=object)
    assert facts.end(one(facts, "Mira"), at=day(3)) == "ClaimUnknown"
    assert facts.end(one(facts, "Mira"), at="2020-01-01T12:00:00Z") == D1
    assert facts.end(one(facts, "Mira"), at=day(5)) == D4


def test_an_expiry_must_lie_after_the_start(facts: Facts) -> None:
    facts.write(day(2))
    assert facts.end(one(facts, "Mira"), at=day(2)) == "ArgumentMalformed"
    assert facts.end(one(facts, "Mira"), at=day(1), valid_from=day(2)) == "ArgumentMalformed"
    assert facts.end(one(facts, "Mira"), at=day(1)) == "ClaimUnknown"
    assert facts.closures() == []


def test_a_retracted_claim_leaves_and_its_predecessor_runs_on(facts: Facts) -> None:
    facts.write(day(1))
    facts.write(day(2), object="Ben")
    assert facts.end(one(facts, "Ben"), reason="a misreading") == D2
    assert facts.windows() == [("Mira", D1, None, None)]
    assert facts.closures() == [(one(facts, "Ben"), instants.stored("", day(2)), None, "a misreading")]
    assert facts.end(one(facts, "Ben"), reason="again") == "ClaimUnknown"


def test_a_retraction_takes_the_newest_interval_unless_told_otherwise(facts: Facts) -> None:
    for number, object in ((1, "Mira"), (2, "Ben"), (4, "Mira")):
        facts.write(day(number), object=object)
    assert facts.end(one(facts, "Mira")) == D4
    assert facts.end(one(facts, "Mira"), valid_from=day(1)) == D1
    assert facts.windows() == [("Ben", D2, None, None)]


def test_a_later_version_reopens_the_key_as_a_new_arrival(facts: Facts) -> None:
    facts.write(day(1))
    facts.end(one(facts, "Mira"))
    facts.write(day(1), object="Ben", until=day(2))
    assert facts.write(day(1)).landed
    # Mira arrived again after Ben: a new collision, which both survive.
    assert facts.windows() == [("Ben", D1, D2, None), ("Mira", D1, None, None)]
    assert len(facts.letters()) == 1


def test_an_expired_claim_may_be_written_again(facts: Facts) -> None:
    facts.write(day(1))
    facts.end(one(facts, "Mira"), at=day(2))
    assert not facts.write("2020-01-01T12:00:00Z").landed  # it is live then
    assert facts.write(day(3)).landed
    assert facts.windows() == [("Mira", D1, D2, None), ("Mira", D3, None, None)]


def test_an_expired_key_met_at_its_own_start_is_still_live_there(facts: Facts) -> None:
    facts.write(day(1))
    facts.end(one(facts, "Mira"), at=day(2))
    assert not facts.write(day(1)).landed
    facts.end(one(facts, "Mira"), valid_from=day(1))
    assert facts.write(day(1)).landed
    assert facts.windows() == [("Mira", D1, None, None)]


def test_unknown_claims_and_tables(cli: Callable[..., Any]) -> None:
    cli("memory", "write", "--into", "facts", "--claim", claim(), "--observed-at", day(1))
    for arguments, identifier in (
        (("expire", "--table", "facts", "--claim-id", "c-x", "--at", day(2)), "ClaimUnknown"),
        (("retract", "--table", "facts", "--claim-id", "c-x", "--reason", "r"), "ClaimUnknown"),
        (("retract", "--table", "dated_facts", "--claim-id", "c-x", "--reason", "r"), "ClaimUnknown"),
        (("retract", "--table", "nothing", "--claim-id", "c-x", "--reason", "r"), "GrantWriteNotCovered"),
        (("retract", "--table", "people", "--claim-id", "c-x", "--reason", "r"), "TableShapeRefused"),
        (("retract", "--table", "facts", "--claim-id", "c-x", "--reason", " "), "ArgumentMalformed"),
        (("expire", "--table", "facts", "--claim-id", "c-x", "--at", "2020-01-02"), "InstantMalformed"),
    ):
        answer = cli("memory", *arguments)
        assert (answer.code, answer.out, answer.err.split(":")[0]) == (1, "", identifier)


def test_what_the_verbs_print(cli: Callable[..., Any]) -> None:
    mira = cli("memory", "write", "--into", "facts", "--claim", claim(), "--observed-at", day(1)).json["claim_id"]
    assert cli("memory", "expire", "--table", "facts", "--claim-id", mira, "--at", day(3)).json == {
        "claim_id": mira,
        "valid_from": D1,
        "closed_at": D3,
        "reason": "expired",
    }
    assert cli("memory", "retract", "--table", "facts", "--claim-id", mira, "--reason", "a misreading").json == {
        "claim_id": mira,
        "valid_from": D1,
        "closed_at": None,
        "reason": "a misreading",
    }
