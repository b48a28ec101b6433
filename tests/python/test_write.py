"""Writing one claim: form, order of checks, what becomes of what stood before. Expected values are worked by hand."""

import json
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from reference import claim_id
from writing import CLAIM, Facts, by, claim, day, fresh, opened, told

from contextful_cli import instants, revise, warehouse
from contextful_cli.batches import staging
from contextful_cli.errors import ContextfulError
from contextful_cli.revision import tail
from contextful_cli.settings import Home
from contextful_cli.tables import Table

D1, D2, D3, D4, D5 = (told(day(number)) for number in range(1, 6))


@pytest.fixture(scope="module")
def table(compiled: Home, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Facts]:
    """One table for all tests: their subjects differ, and so they never meet."""
    with fresh(compiled, tmp_path_factory.mktemp("writes") / "home") as opened_table:
        yield opened_table


@pytest.fixture
def facts(table: Facts, request: pytest.FixtureRequest) -> Facts:
    """The table, about a subject that no other test names."""
    table.subject = request.node.nodeid
    return table


def mira(facts: Facts) -> str:
    """The id of the claim that Mira leads the subject."""
    return claim_id(facts.subject, "lead", "Mira")


@pytest.mark.rule("revise.observed-attest")
def test_observed_at_is_where_the_claim_starts_and_the_commit_s_stamp_without_it(facts: Facts) -> None:
    assert facts.write(day(1)).valid_from == D1
    later = facts.write(object="Ben")
    _, (valid_from, stamp) = facts.stored("epoch_us(valid_from), epoch_ns(_ingested_at) // 1000")
    assert valid_from == stamp == instants.stored("", later.valid_from)


@pytest.mark.rule("revise.tier")
@pytest.mark.parametrize("tier", ["researched", "derived", "curated"])
def test_the_tier_is_given_by_the_way_of_writing(facts: Facts, tier: str) -> None:
    facts.write(day(1), tier)
    assert facts.stored("tier") == [(tier,)]


@pytest.mark.rule("revise.tier")
def test_no_payload_gives_the_tier(facts: Facts) -> None:
    with pytest.raises(ContextfulError, match="MemoryClaimMalformed: unknown key `tier`"):
        revise.write_with(facts.writer, revise.Claim(facts.claim(tier="curated")), by("researched"))


@pytest.mark.rule("revise.tier")
def test_fetched_grounding_is_researched_and_no_other_grounding_is_known(cli: Callable[..., Any]) -> None:
    assert cli("memory", "write", "--into", "facts", "--claim", claim(), "--grounding", "fetched").code == 0
    assert cli("shell", "select tier from landing.main.facts").json == {"tier": "researched"}
    answer = cli("memory", "write", "--into", "facts", "--claim", claim(), "--grounding", "guessed")
    assert (answer.code, answer.out, answer.err.split(":")[0]) == (1, "", "ArgumentMalformed")


def test_what_a_direct_write_stores(facts: Facts) -> None:
    facts.write(day(1), scope="team-a", evidence=[{"table": "events", "run": "r", "seq": 3}])
    ((*stored, evidence),) = facts.stored(
        """claim_id, predicate, object, scope, confidence, valid_to, superseded_by, grant_id, agent, _row_seq,
        _authored_by, _taint, _site_id, _batch_seq, evidence"""
    )
    claim_id_of_it = claim_id(facts.subject, "lead", "Mira", "team-a")
    assert stored[:6] == [claim_id_of_it, "lead", "Mira", "team-a", 0.9, None]
    assert stored[6:] == [None, "local", None, 0, "operator", None, None, None]
    assert evidence == [{"table": "events", "run": "r", "seq": 3, "key_digest": None}]


@pytest.mark.rule("revise.supersede")
class TestSupersede:
    """On one line an equal or higher tier replaces; a lower one lands beside."""

    def test_an_open_claim_ends_the_standing_one(self, facts: Facts) -> None:
        facts.write(day(1))
        facts.write(day(3), object="Ben")
        assert facts.windows() == [("Mira", D1, D3, "Ben"), ("Ben", D3, None, None)]

    def test_a_lower_tier_lands_beside(self, facts: Facts) -> None:
        facts.write(day(1))
        facts.write(day(3), "researched", object="Ben")
        assert facts.windows() == [("Mira", D1, None, None), ("Ben", D3, None, None)]

    def test_a_higher_tier_replaces(self, facts: Facts) -> None:
        facts.write(day(1), "researched")
        facts.write(day(3), "derived", object="Ben")
        assert facts.windows() == [("Mira", D1, D3, "Ben"), ("Ben", D3, None, None)]

    def test_other_lines_are_left_alone(self, facts: Facts) -> None:
        facts.write(day(1))
        facts.write(day(2), object="Ben", scope="team-a")
        facts.write(day(2), object="Ben", predicate="site")
        assert facts.windows()[0] == ("Mira", D1, None, None)

    def test_a_bounded_claim_replaces_nothing_but_at_the_same_start(self, facts: Facts) -> None:
        facts.write(day(1), scope="s")
        facts.write(day(2), object="Ben", until=day(3), scope="s")
        assert facts.windows() == [("Mira", D1, None, None), ("Ben", D2, D3, None)]
        facts.write(day(2), object="Cy", until=day(4), scope="s")
        assert facts.windows() == [("Mira", D1, None, None), ("Ben", D2, D2, "Cy"), ("Cy", D2, D4, None)]

    def test_a_return_to_an_earlier_object_hides_no_interval(self, facts: Facts) -> None:
        for number, object in ((1, "Mira"), (2, "Ben"), (3, "Mira")):
            assert facts.write(day(number), object=object).landed
        assert facts.windows() == [("Mira", D1, D2, "Ben"), ("Ben", D2, D3, "Mira"), ("Mira", D3, None, None)]

    def test_a_live_claim_is_restated(self, facts: Facts) -> None:
        facts.write(day(1))
        again = facts.write(day(3))
        assert (again.claim_id, again.landed, again.valid_from) == (mira(facts), False, D1)
        assert not facts.write(day(3), "researched").landed
        assert not facts.write(day(3), until=day(4)).landed

    def test_a_held_claim_that_is_not_live_gets_a_second_interval(self, facts: Facts) -> None:
        facts.write(day(2), until=day(3))
        assert facts.write(day(4)).landed
        assert facts.write(day(1), until=day(2)).landed
        assert facts.windows() == [("Mira", D1, D2, None), ("Mira", D2, D3, None), ("Mira", D4, None, None)]

    def test_a_promotion_lands_where_the_weaker_claim_starts(self, facts: Facts) -> None:
        facts.write(day(1), "researched")
        promoted = facts.write(day(3))
        assert (promoted.landed, promoted.valid_from) == (True, D1)
        assert facts.windows() == [("Mira", D1, None, None)]
        # Now that it is curated, a researched claim no longer replaces it.
        facts.write(day(4), "researched", object="Ben")
        assert facts.windows()[0] == ("Mira", D1, None, None)

    def test_a_promotion_that_starts_earlier_closes_the_weaker_key(self, facts: Facts) -> None:
        facts.write(day(3), "researched")
        promoted = facts.write(day(1))
        assert (promoted.landed, promoted.valid_from) == (True, D1)
        assert facts.windows() == [("Mira", D1, None, None)]
        assert facts.closures() == [(mira(facts), instants.stored("", day(3)), None, "promoted")]

    def test_what_a_promotion_replaces_ends_where_it_lands(self, facts: Facts) -> None:
        facts.write(day(1), "derived", object="Ben")
        facts.write(day(2), "researched")
        assert facts.windows() == [("Ben", D1, None, None), ("Mira", D2, None, None)]
        facts.write(day(4), "curated")
        assert facts.windows() == [("Ben", D1, D2, "Mira"), ("Mira", D2, None, None)]

    def test_loading_twice_changes_nothing(self, facts: Facts) -> None:
        told_twice = [(day(1), "Mira"), (day(2), "Ben"), (day(3), "Mira")]
        first = [facts.write(at, object=object).landed for at, object in told_twice]
        before = facts.windows()
        second = [facts.write(at, object=object).landed for at, object in told_twice]
        assert (first, second) == ([True] * 3, [False] * 3)
        assert facts.windows() == before


@pytest.mark.rule("revise.dedup-key")
class TestDedupKey:
    """Under a key a claim has an id of its own, and a retry lands nothing, whatever became of the claim."""

    def test_a_retry_lands_nothing(self, facts: Facts) -> None:
        first = facts.write(day(1), key="k")
        again = facts.write(day(4), key="k")
        assert (first.landed, again.landed, again.claim_id, again.valid_from) == (True, False, first.claim_id, D1)

    def test_a_retry_of_a_replaced_and_of_a_retracted_claim_lands_nothing(self, facts: Facts) -> None:
        first = facts.write(day(1), key="k")
        facts.write(day(2), object="Ben")
        assert not facts.write(day(1), key="k").landed
        facts.end(first.claim_id, reason="a misreading")
        assert not facts.write(day(1), key="k").landed

    def test_a_retry_succeeds_where_a_new_line_would_be_refused(self, facts: Facts) -> None:
        facts.write(day(1), key="k")
        facts.write(day(3), object="Ben")
        assert facts.refusal(day(2), object="Cy") == "MemoryObservationOutOfOrder"
        assert not facts.write(day(2), key="k").landed

    def test_the_same_object_under_another_key_is_a_successor(self, facts: Facts) -> None:
        facts.write(day(1), key="k1")
        facts.write(day(2), key="k2")
        assert facts.windows() == [("Mira", D1, D2, "Mira"), ("Mira", D2, None, None)]

    def test_three_keys_give_three_intervals(self, facts: Facts) -> None:
        for number, object in ((1, "Mira"), (2, "Ben"), (3, "Mira")):
            facts.write(day(number), object=object, key=f"k{number}")
        assert facts.windows() == [("Mira", D1, D2, "Ben"), ("Ben", D2, D3, "Mira"), ("Mira", D3, None, None)]

    def test_an_empty_key_refuses(self, facts: Facts) -> None:
        assert facts.refusal(day(1), key="") == "MemoryClaimMalformed"


@pytest.mark.rule("revise.observed-order")
class TestObservedOrder:
    """A write may not start before an unsuperseded claim that says something else."""

    def test_an_earlier_start_refuses_and_stores_nothing(self, facts: Facts) -> None:
        facts.write(day(3))
        assert facts.refusal(day(1), object="Ben") == "MemoryObservationOutOfOrder"
        assert facts.windows() == [("Mira", D3, None, None)]

    def test_the_message_says_what_would_land(self, cli: Callable[..., Any]) -> None:
        arguments = ("memory", "write", "--into", "facts", "--claim")
        cli(*arguments, claim(), "--observed-at", day(3))
        answer = cli(*arguments, claim(object="Ben"), "--observed-at", day(1))
        assert (answer.code, answer.out) == (1, "")
        assert answer.err.startswith("MemoryObservationOutOfOrder: ")
        assert D3 in answer.err
        assert "valid_until" in answer.err

    def test_a_write_bounded_by_then_lands(self, facts: Facts) -> None:
        facts.write(day(3))
        assert facts.refusal(day(1), object="Ben", until=day(4)) == "MemoryObservationOutOfOrder"
        assert facts.write(day(1), object="Ben", until=day(3)).landed

    @pytest.mark.parametrize("tier", ["researched", "derived", "curated"])
    def test_every_tier_counts(self, facts: Facts, tier: str) -> None:
        facts.write(day(3), tier)
        assert facts.refusal(day(1), object="Ben") == "MemoryObservationOutOfOrder"

    def test_bounded_and_expired_claims_count_and_retracted_ones_do_not(self, facts: Facts) -> None:
        facts.write(day(3), until=day(4))
        assert facts.refusal(day(1), object="Ben") == "MemoryObservationOutOfOrder"
        vega = facts.subject + " vega"
        facts.end(facts.write(day(3), subject=vega).claim_id, at=day(4))
        assert facts.refusal(day(1), subject=vega, object="Ben") == "MemoryObservationOutOfOrder"
        facts.end(mira(facts))
        assert facts.write(day(1), object="Ben").landed

    def test_the_same_object_may_start_earlier(self, facts: Facts) -> None:
        facts.write(day(3))
        assert facts.write(day(1)).landed

    def test_a_superseded_claim_does_not_count(self, facts: Facts) -> None:
        for number, object in ((2, "Ben"), (3, "Mira")):
            facts.write(day(number), object=object)
        assert facts.write(day(1)).landed  # Ben, in between, is superseded


@pytest.mark.rule("revise.citation-live")
class TestCitations:
    """Evidence of keyed tables must be live when it is cited; its key is kept as a digest."""

    def test_a_replaced_version_refuses_and_stores_nothing(self, facts: Facts) -> None:
        facts.land("people", "a1", {"id": "1", "name": "Ann"}, {"id": "2", "name": "Ben"})
        facts.land("people", "a2", {"id": "1", "name": "Anne"})
        replaced, live = ({"table": "people", "run": run, "seq": 0} for run in ("a1", "a2"))
        other = {"table": "people", "run": "a1", "seq": 1}
        assert facts.refusal(day(1), evidence=[other, replaced]) == "MemoryCitationNotLive"
        assert facts.windows() == []
        assert facts.write(day(1), evidence=[other, live]).landed

    def test_a_restatement_is_decided_before(self, facts: Facts) -> None:
        facts.land("people", "b1", {"id": "3", "name": "Ann"})
        cited = [{"table": "people", "run": "b1", "seq": 0}]
        facts.write(day(1), evidence=cited)
        facts.write(day(2), evidence=cited, key="k", object="Ben")
        facts.land("people", "b2", {"id": "3", "name": "Anne"})
        assert not facts.write(day(1), evidence=cited).landed
        assert not facts.write(day(1), evidence=cited, key="k", object="Ben").landed

    @pytest.mark.rule("recall.evidence-key", "recall.evidence-no-value")
    def test_a_citation_of_a_keyed_table_is_stamped_and_no_other(self, facts: Facts) -> None:
        facts.land("people", "c1", {"id": "4", "name": "Ann"}, {"id": "5", "name": "Ben"})
        facts.land("events", "e1", {"id": 1, "note": "x", "at": day(1)})
        cited = [("people", "c1", 0), ("events", "e1", 0), ("people", "c1", 1), ("people", "gone", 0), ("nope", "r", 0)]
        evidence = [{"table": table, "run": run, "seq": seq, "key_digest": "sent"} for table, run, seq in cited]
        facts.write(day(1), evidence=evidence)
        facts.land("people", "c2", {"id": "4", "name": "Anne"})
        facts.write(day(2), object="Ben", evidence=[{"table": "people", "run": "c2", "seq": 0}])
        (stored,), (later,) = facts.stored("evidence")
        assert [(one["table"], one["run"], one["seq"]) for one in stored] == cited
        assert set(stored[0]) == {"table", "run", "seq", "key_digest"}
        digests = [one["key_digest"] for one in stored]
        assert [digest and len(digest) for digest in digests] == [64, None, 64, None, None]
        assert digests[0] != digests[2]
        assert later[0]["key_digest"] == digests[0]  # of the key, not of the version


@pytest.mark.rule("revise.unscoped-collision")
class TestCollision:
    """Two unscoped direct writes that start together and differ: both stay until a later revision."""

    def test_both_stay_and_one_letter_names_both(self, facts: Facts) -> None:
        ids = [facts.write(day(1), object=object).claim_id for object in ("Mira", "Ben")]
        assert facts.windows() == [("Ben", D1, None, None), ("Mira", D1, None, None)]
        ((stage, reason, detail, _),) = facts.letters()
        assert (stage, reason) == ("revise", "unscoped-collision")
        assert all(one in detail for one in ids)

    def test_a_third_makes_two_more_letters(self, facts: Facts) -> None:
        for object in ("Mira", "Ben", "Cy"):
            facts.write(day(1), object=object)
        assert len({letter_id for *_, letter_id in facts.letters()}) == len(facts.letters()) == 3

    def test_a_later_revision_resolves_it(self, facts: Facts) -> None:
        for object in ("Mira", "Ben"):
            facts.write(day(1), object=object)
        resolving = facts.write(day(2))  # Mira again: live, and still it lands
        assert (resolving.landed, resolving.valid_from) == (True, D2)
        assert facts.windows() == [("Ben", D1, D2, "Mira"), ("Mira", D1, D2, "Mira"), ("Mira", D2, None, None)]

    def test_a_researched_write_collides_and_a_derived_one_does_not(self, facts: Facts) -> None:
        facts.write(day(1))
        facts.write(day(1), "researched", object="Ben")
        facts.write(day(1), "derived", object="Cy")
        assert len(facts.letters()) == 1

    def test_with_a_scope_the_later_write_replaces(self, facts: Facts) -> None:
        for object in ("Mira", "Ben"):
            facts.write(day(1), object=object, scope="team-a")
        assert facts.windows() == [("Ben", D1, None, None), ("Mira", D1, D1, "Ben")]
        assert facts.letters() == []


@pytest.mark.rule("revise.direct-write")
@pytest.mark.parametrize(
    ("into", "identifier", "named"),
    [
        ("people", "MemoryDirectWriteShapeRefused", "contextful land --table people"),
        ("persons", "MemoryDirectWriteShapeRefused", "contextful land --table persons"),
        ("ties", "MemoryDirectWriteShapeRefused", "contextful land --table ties"),
        ("diary", "MemoryDirectWriteShapeRefused", "contextful land --table diary"),
        ("tastes", "MemoryDirectWriteShapeRefused", "contextful land --table tastes"),
        ("bets", "MemoryDirectWriteShapeRefused", "contextful memory predict --into bets"),
        ("results", "MemoryDirectWriteShapeRefused", "contextful memory observe --into results"),
        ("facts_closures", "MemoryDirectWriteShapeRefused", "contextful memory expire"),
        ("nothing", "GrantWriteNotCovered", "contextful declare list"),
    ],
)
def test_other_shapes_refuse_with_the_right_verb(
    cli: Callable[..., Any], into: str, identifier: str, named: str
) -> None:
    # The claim is no JSON either: the grant comes first, then the shape, then the form.
    answer = cli("memory", "write", "--into", into, "--claim", "{")
    assert (answer.code, answer.out) == (1, "")
    assert answer.err.startswith(f"{identifier}: ")
    assert named in answer.err


MALFORMED = {
    "no JSON": "{",
    "no object": "[]",
    "two values": claim() + claim(),
    "a comma too many": claim()[:-1] + ",}",
    "NaN": claim(confidence=float("nan")),
    "an infinity": claim(confidence=float("inf")),
    "NaN where it is ignored": claim(evidence=[{"table": "t", "run": "r", "seq": 1, "key_digest": float("nan")}]),
    "a doubled key": claim()[:-1] + ', "object": "Ben"}',
    "a doubled key by an escape": claim()[:-1] + ', "obj\\u0065ct": "Ben"}',
    "an unknown key": claim(colour="red"),
    "a missing key": json.dumps({name: value for name, value in CLAIM.items() if name != "object"}),
    "no evidence": json.dumps({name: value for name, value in CLAIM.items() if name != "evidence"}),
    "a number for a string": claim(object=5),
    "null for a string": claim(object=None),
    "an object for a string": claim(object={"a": 1}),
    "a blank string": claim(object=" \t"),
    "a string blank beyond ASCII": claim(object="\u2003\u00a0\u3000"),
    "a blank scope": claim(scope=" "),
    "NUL": claim(subject="a\0b"),
    "NUL in a scope": claim(scope="a\0b"),
    "a string for a number": claim(confidence="0.5"),
    "a confidence above 1": claim(confidence=1.0000001),
    "a confidence below 0": claim(confidence=-0.1),
    "a confidence beyond every double": claim()[:-1].replace("0.9", "1e400") + "}",
    "true for a number": claim(confidence=True),
    "null for a number": claim(confidence=None),
    "evidence that is no list": claim(evidence={}),
    "null evidence": claim(evidence=None),
    "a citation that is no object": claim(evidence=["people"]),
    "a null citation": claim(evidence=[None]),
    "a citation without seq": claim(evidence=[{"table": "t", "run": "r"}]),
    "a seq as a string": claim(evidence=[{"table": "t", "run": "r", "seq": "1"}]),
    "a seq with a fraction": claim(evidence=[{"table": "t", "run": "r", "seq": 1.0}]),
    "a seq beyond 64 bits": claim(evidence=[{"table": "t", "run": "r", "seq": 2**63}]),
    "a null run": claim(evidence=[{"table": "t", "run": None, "seq": 1}]),
    "a blank table": claim(evidence=[{"table": " ", "run": "r", "seq": 1}]),
    "NUL in a citation": claim(evidence=[{"table": "t", "run": "r\0", "seq": 1}]),
    "an unknown key in a citation": claim(evidence=[{"table": "t", "run": "r", "seq": 1, "row": 2}]),
    "a doubled key in a citation": claim()[:-1].replace("[]", '[{"table": "t", "run": "r", "seq": 1, "seq": 2}]') + "}",
    "a lone surrogate": claim(object="x").replace('"x"', '"\\ud800"'),
    "a control character": claim(object="x").replace('"x"', '"a\tb"'),
    "a byte that is no UTF-8": claim(object="x").replace('"x"', '"\udcff"'),
    "a line within a line": claim() + ', "dedup_key": "k"',
}


@pytest.mark.parametrize("given", MALFORMED.values(), ids=MALFORMED)
def test_malformed_claims_refuse_and_store_nothing(facts: Facts, given: str) -> None:
    facts.subject = "orion"
    with pytest.raises(ContextfulError) as refused:
        revise.write_with(facts.writer, revise.Claim(given, day(1)), by("curated"))
    assert refused.value.identifier == "MemoryClaimMalformed"
    assert facts.stored("1") == []


INSTANTS = {
    "2020-01-01": "InstantMalformed",
    "2020-01-01T00:00:00": "InstantMalformed",
    "2020-01-01T24:00:00Z": "InstantMalformed",
    "2020-01-01T00:00:60Z": "InstantMalformed",
    "2020-02-30T00:00:00Z": "InstantMalformed",
    "2020-01-01T00:00:00.1234567Z": "InstantMalformed",
    "0001-01-01T00:00:00+00:01": "InstantMalformed",
    "9999-12-31T23:59:59-00:01": "InstantMalformed",
    "2020-01-01T00:00:00+24:00": "InstantMalformed",
    "yesterday": "InstantMalformed",
    "": "InstantMalformed",
    "\u0662020-01-01T00:00:00Z": "InstantMalformed",
    "2020-01-01T00:00:00.1234560000Z": "2020-01-01T00:00:00.123456Z",
    "2020-01-01t00:00:00z": "2020-01-01T00:00:00.000000Z",
    "2020-01-01 02:00:00+02:00": "2020-01-01T00:00:00.000000Z",
    "0001-01-01T00:00:00Z": "0001-01-01T00:00:00.000000Z",
    "9999-12-31T23:59:59.999999Z": "9999-12-31T23:59:59.999999Z",
}


@pytest.mark.parametrize("text", INSTANTS, ids=[text.encode("ascii", "replace").decode() for text in INSTANTS])
def test_stored_instants_are_read_as_they_are_everywhere(facts: Facts, text: str) -> None:
    expected = INSTANTS[text]
    if expected == "InstantMalformed":
        assert facts.refusal(text) == expected
        with pytest.raises(instants.ContextfulError):
            instants.stored("text", text)
    else:
        assert facts.write(text).valid_from == expected == instants.format_us(instants.stored("text", text))


def test_valid_until_must_lie_after_the_start(facts: Facts) -> None:
    assert facts.refusal(day(2), until=day(2)) == "MemoryClaimMalformed"
    assert facts.refusal(day(2), until=day(1)) == "MemoryClaimMalformed"
    assert facts.refusal(until=day(1)) == "MemoryClaimMalformed"  # the commit's stamp is later
    assert facts.write(day(2), until="2020-01-02T00:00:00.000001Z").landed


def test_any_text_and_a_megabyte_survive(facts: Facts) -> None:
    facts.subject, large = "Łukasz Żółć 李明 🙂", "ż" * 524_288
    facts.write(day(1), object=large)
    assert facts.stored("subject, object") == [(facts.subject, large)]
    assert not facts.write(day(1), object=large).landed


def test_the_ends_of_time(facts: Facts) -> None:
    first, last = "0001-01-01T00:00:00Z", "9999-12-31T23:59:59.999999Z"
    facts.write(first)
    facts.write(last, object="Ben")
    assert facts.windows() == [("Mira", told(first), told(last), "Ben"), ("Ben", told(last), None, None)]


def test_form_comes_before_the_key_and_the_key_before_the_order(facts: Facts) -> None:
    facts.write(day(1), key="k")
    facts.write(day(3), object="Ben")
    assert facts.refusal(day(2), key="k", confidence=2) == "MemoryClaimMalformed"
    assert not facts.write(day(2), key="k").landed


def test_one_write_prints_what_it_did(cli: Callable[..., Any]) -> None:
    arguments = ("memory", "write", "--into", "facts", "--claim", claim(), "--observed-at", day(1))
    assert cli(*arguments).json == {"claim_id": "c-ee965fcba19e3053282202f3", "landed": True, "valid_from": D1}
    assert cli(*arguments).json == {"claim_id": "c-ee965fcba19e3053282202f3", "landed": False, "valid_from": D1}


@pytest.mark.parametrize(
    "arguments",
    [
        (),
        ("--claim", claim(), "--from", "x.jsonl"),
        ("--from", "x.jsonl", "--observed-at", day(1)),
        ("--from", "nowhere.jsonl"),
    ],
)
def test_arguments_that_do_not_go_together_refuse(cli: Callable[..., Any], arguments: tuple[str, ...]) -> None:
    answer = cli("memory", "write", "--into", "facts", *arguments)
    assert (answer.code, answer.out, answer.err.split(":")[0]) == (1, "", "ArgumentMalformed")


@pytest.mark.rule("declare.availability")
def test_a_claim_may_say_when_its_source_was_available(home: Home, tables: list[Table]) -> None:
    with opened(home, tables, "dated_facts") as facts:
        facts.write(day(1), known_at="2020-03-01T00:00:00+01:00")
        facts.write(day(2), object="Ben", known_at="2020-03-01T00:00:00")  # without offset: the declared zone
        facts.write(day(3), object="Cy")
        assert facts.refusal(day(4), known_at="2020-03-01") == "InstantMalformed"
        mira, ben, cy = facts.stored("epoch_us(available_at), epoch_ns(_ingested_at) // 1000")
        assert instants.format_us(mira[0])[:16] == "2020-02-29T23:00"
        assert instants.format_us(ben[0])[:16] == "2020-03-01T00:00"
        assert cy[0] == cy[1]  # unsaid: the commit's stamp
    with opened(home, tables) as facts:
        assert facts.refusal(day(1), known_at="2020-03-01T00:00:00Z") == "MemoryClaimMalformed"


def test_a_writer_writes_on_when_its_tables_are_laid_afresh(facts: Facts, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(staging, "WRITES_BEFORE_FRESH", 2)
    for number in range(1, 6):
        assert facts.write(day(number), object=f"o{number}").landed
    assert len(facts.windows()) == 5


def test_a_plan_kept_from_an_empty_table_still_finds_what_came_later(facts: Facts) -> None:
    """Kept plans must not rest on what the staging tables held when they were made: once they lost a scoped write."""
    facts.write(day(1))
    assert facts.write(day(1), scope="team-a").landed
    assert facts.write(day(2), scope="team-b", until=day(3), key="k").landed
    assert not facts.write(day(1), scope="team-a").landed


def test_another_writer_s_commit_is_seen_under_the_lock(home: Home, tables: list[Table]) -> None:
    with opened(home, tables) as one, opened(home, tables) as other:
        assert one.write(day(1)).landed
        assert not other.write(day(1)).landed
        assert other.write(day(2), object="Ben").landed
        assert one.refusal(day(1), object="Cy") == "MemoryObservationOutOfOrder"


@pytest.mark.parametrize("most_rows", [200_000, 2], ids=["a tail", "too long a tail"])
def test_writers_beside_a_published_copy_see_each_other(
    home: Home, tables: list[Table], monkeypatch: pytest.MonkeyPatch, most_rows: int
) -> None:
    """Copy, own commits and those of others together give what the lake alone would."""
    monkeypatch.setattr(tail, "MOST_ROWS", most_rows)
    with opened(home, tables) as facts:
        facts.write(day(1), object="A")
    warehouse.build(home, warehouse.FUNCTIONS)
    with opened(home, tables) as one, opened(home, tables) as other:
        assert not one.write(day(1), object="A").landed  # held in the copy
        assert one.write(day(2), object="B").landed
        assert not other.write(day(2), object="B").landed
        assert other.write(day(3), object="A").landed
        assert not one.write(day(2), object="B").landed
        assert one.refusal(day(2), object="C") == "MemoryObservationOutOfOrder"
        assert one.batch(one.line(day(4), object="C"), one.line(day(3), object="A")).restated == 1
        assert not one.write(day(4), object="C").landed
        assert other.end(claim_id("orion", "lead", "C")) == D4
        assert one.write(day(4), object="D").landed
        assert one.windows() == [("A", D1, D2, "B"), ("B", D2, D3, "A"), ("A", D3, D4, "D"), ("D", D4, None, None)]
