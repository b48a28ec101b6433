"""The reference itself, against examples worked out by hand. Instants are small numbers: valid times 10, 20 …,
stamps from 1001 on. The line is orion/lead in scope `east` unless the example is about collisions (no scope)."""

from datetime import UTC, datetime

from hypothesis import given, settings
from hypothesis import strategies as st
from reference import Closure, Interval, Letter, Line, Store, Version, claim_id, micros, utc
from reference.histories import RawHistory, WriteBatch, histories, raw_histories, replay

A, B, C = (claim_id("orion", "lead", name, "east") for name in ("Ann", "Ben", "Cy"))
ANN, BEN, CY = (claim_id("orion", "lead", name) for name in ("Ann", "Ben", "Cy"))


def east(name: str, at: int | None = None, until: int | None = None, key: str | None = None) -> Line:
    return Line("orion", "lead", name, "east", at, until, key)


def plain(name: str, at: int | None = None, until: int | None = None) -> Line:
    return Line("orion", "lead", name, None, at, until)


def spans(store: Store, as_of: int | None = None) -> set[tuple[str, int, int | None, str | None]]:
    """(object, valid_from, valid_to, object of the successor)"""
    intervals = store.window(as_of)
    names = {p.key: p.object for p in intervals}
    return {(p.object, p.valid_from, p.valid_to, names[p.successor] if p.successor else None) for p in intervals}


def test_ids_match_the_vectors_of_the_contract() -> None:
    assert claim_id("orion", "lead", "Mira") == "c-ee965fcba19e3053282202f3"
    assert claim_id("orion", "lead", "Mira", "team-a") == "c-d39e883de03e3bf07c56f9a1"
    assert claim_id("orion", "lead", "Mira", dedup_key="evt-1") == "c-21f21eeceabec3649a307fb9"
    assert claim_id("orion", "lead", "Mira", "team-a", "evt-1") == "c-7e8023b7a814bf435d2b61fe"


def test_micros_are_exact_from_year_1_to_9999() -> None:
    first, last = datetime(1, 1, 1, tzinfo=UTC), datetime(9999, 12, 31, 23, 59, 59, 999999, tzinfo=UTC)
    # 719 162 days from 0001-01-01 to the epoch; the last microsecond is 2 932 897 days after it, less one.
    assert (micros(first), micros(last)) == (-719_162 * 86_400_000_000, 2_932_897 * 86_400_000_000 - 1)
    assert (utc(micros(first)), utc(micros(last))) == (first, last)


def test_return_to_an_earlier_object_without_keys() -> None:
    store = Store()
    decisions = [store.write(east(name, at), 1000 + at) for name, at in (("Ann", 10), ("Ben", 20), ("Ann", 30))]
    # The third line is of a held claim that is not live at 30 (Ann ended at 20): a second interval of the same id.
    assert [(d.kind, d.claim_id, d.retired) for d in decisions] == [
        ("landed", A, 0),
        ("landed", B, 1),
        ("landed", A, 1),
    ]
    assert spans(store) == {("Ann", 10, 20, "Ben"), ("Ben", 20, 30, "Ann"), ("Ann", 30, None, None)}


def test_return_to_an_earlier_object_with_three_keys() -> None:
    store = Store()
    lines = [east("Ann", 10, key="k1"), east("Ben", 20, key="k2"), east("Ann", 30, key="k3")]
    assert [d.retired for d in store.write_batch(lines, 1001)] == [0, 1, 1]
    assert spans(store) == {("Ann", 10, 20, "Ben"), ("Ben", 20, 30, "Ann"), ("Ann", 30, None, None)}
    assert len({p.claim_id for p in store.window()}) == 3


def test_same_object_under_another_key_is_an_ordinary_successor() -> None:
    store = Store()
    store.write(east("Ann", 10, key="k1"), 1001)
    assert store.write(east("Ann", 20, key="k2"), 1002).retired == 1
    assert spans(store) == {("Ann", 10, 20, "Ann"), ("Ann", 20, None, None)}


def test_keyed_write_of_a_retracted_claim_lands_nothing() -> None:
    store = Store()
    first = store.write(east("Ann", 10, key="k1"), 1001)
    store.retract(first.claim_id, "wrong", 1002)
    # In any state, and before citations and observed order are looked at.
    again = Line("orion", "lead", "Ann", "east", 5, None, "k1", has_replaced_citation=True)
    assert store.write(again, 1003).kind == "restated"
    assert spans(store) == set()


def test_loading_twice_changes_nothing() -> None:
    store = Store()
    lines = [east("Ann", 10), east("Ben", 20), east("Ann", 30)]
    store.write_batch(lines, 1001)
    # Ann at 10 would be out of order beside Ben's 20, were the restatement not decided first.
    assert [d.kind for d in store.write_batch(lines, 1002)] == ["restated"] * 3
    # Live: 35 lies in [30, ∞) of Ann. The decision names the key that holds it.
    again = store.write(east("Ann", 35), 1003)
    assert (again.kind, again.valid_from) == ("restated", 30)


def test_lines_without_observed_at_take_the_stamp() -> None:
    store = Store()
    assert store.write(east("Ann"), 1001).valid_from == 1001
    # In a batch: the stamp plus the line number, which counts from 1; row_seq counts from 0.
    decisions = store.write_batch([east("Ben"), east("Ann", 2000), east("Cy")], 1500)
    assert [d.valid_from for d in decisions] == [1501, 2000, 1503]
    # Cy at 1503 precedes Ann at 2000, which is unsuperseded.
    assert decisions[2].identifier == "MemoryObservationOutOfOrder"
    assert [v.order for v in store.versions] == [(1001, "", 0), (1500, "", 0), (1500, "", 1)]


def test_lower_tier_lands_beside_and_recall_orders_by_tier() -> None:
    store = Store()
    store.write(east("Ann", 10), 1001, "curated")
    assert store.write(east("Ben", 20), 1002, "researched").retired == 0
    assert spans(store) == {("Ann", 10, None, None), ("Ben", 20, None, None)}
    # Curated first, though Ben starts later.
    assert [p.object for p in store.recall("orion", 25)] == ["Ann", "Ben"]
    # The derived Cy replaces the researched Ben, not the curated Ann.
    assert store.write(east("Cy", 30), 1003, "derived").retired == 1
    assert spans(store) == {("Ann", 10, None, None), ("Ben", 20, 30, "Cy"), ("Cy", 30, None, None)}


def test_equal_start_replaces_within_a_scope() -> None:
    store = Store()
    store.write(east("Ann", 10, 50), 1001)
    # Bounded against open: only an equal start lets Ben replace Ann, whose interval is then empty.
    assert store.write(east("Ben", 10), 1002).retired == 1
    assert spans(store) == {("Ann", 10, 10, "Ben"), ("Ben", 10, None, None)}
    assert store.letters == []
    assert [p.object for p in store.recall("orion", 10)] == ["Ben"]


def test_bounded_claims_neither_replace_nor_are_replaced() -> None:
    store = Store()
    store.write(east("Ann", 10), 1001)
    store.write(east("Ben", 20, 40), 1002)
    # Ben is bounded and leaves Ann alone; Cy is open and replaces Ann, not Ben.
    assert store.write(east("Cy", 30), 1003).retired == 1
    assert spans(store) == {("Ann", 10, 30, "Cy"), ("Ben", 20, 40, None), ("Cy", 30, None, None)}
    # Half open: at 40 Ben is over.
    assert [p.object for p in store.recall("orion", 39)] == ["Cy", "Ben"]
    assert [p.object for p in store.recall("orion", 40)] == ["Cy"]


def test_observed_order() -> None:
    store = Store()
    store.write(east("Ann", 30), 1001, "researched")
    # Every tier counts: a researched Ann at 30 stops a curated Ben at 20.
    assert store.write(east("Ben", 20), 1002).identifier == "MemoryObservationOutOfOrder"
    assert store.write(east("Ben", 20, 31), 1003).identifier == "MemoryObservationOutOfOrder"
    # Ending by 30 contradicts nothing.
    assert store.write(east("Ben", 20, 30), 1004).kind == "landed"
    store.retract(A, "wrong", 1005)
    # Retracted claims do not count; the bounded Ben at 20 still does.
    assert store.write(east("Cy", 25), 1006).kind == "landed"
    assert store.write(east("Ann", 19), 1007).identifier == "MemoryObservationOutOfOrder"


def test_malformed_and_citation_refusals_store_nothing() -> None:
    store = Store()
    assert store.write(east("Ann", 10, 10), 1001).identifier == "MemoryClaimMalformed"
    assert store.write(east("Ann", None, 1002), 1002).identifier == "MemoryClaimMalformed"
    assert store.write(east("Ann", 10, key=""), 1003).identifier == "MemoryClaimMalformed"
    assert store.write(east(" ", 10), 1004).identifier == "MemoryClaimMalformed"
    replaced = Line("orion", "lead", "Ann", "east", 10, has_replaced_citation=True)
    assert store.write(replaced, 1005).identifier == "MemoryCitationNotLive"
    assert (store.versions, store.closures, store.letters) == ([], [], [])


def test_promotion_lands_at_the_start_of_the_lower_interval() -> None:
    store = Store()
    store.write(east("Ben", 5), 1001, "curated")
    store.write(east("Ann", 10), 1002, "derived")
    # Ann is live at 25, derived: the curated line becomes a new version of (A, 10). Now of Ben's tier, it ends Ben.
    promotion = store.write(east("Ann", 25), 1003, "curated")
    assert (promotion.kind, promotion.valid_from, promotion.retired) == ("promoted", 10, 1)
    assert promotion.closures == ()
    assert spans(store) == {("Ben", 5, 10, "Ann"), ("Ann", 10, None, None)}
    assert [p.tier for p in store.window() if p.object == "Ann"] == ["curated"]
    # Said once more at the lower tier, it is a restatement.
    assert store.write(east("Ann", 25), 1004, "derived").kind == "restated"


def test_promotion_from_before_closes_the_lower_key() -> None:
    store = Store()
    store.write(east("Ben", 5), 1001, "derived")
    store.write(east("Ann", 30), 1002, "derived")
    # The curated Ann starts at 20, before the standing derived one at 30: it lands at 20 and the old key never held.
    promotion = store.write(east("Ann", 20), 1003, "curated")
    assert (promotion.kind, promotion.valid_from, promotion.retired) == ("promoted", 20, 1)
    assert promotion.closures == (Closure(A, 30, None, "promoted", (1003, "", 0)),)
    assert spans(store) == {("Ben", 5, 20, "Ann"), ("Ann", 20, None, None)}
    # As of the commit before, the old reading stands.
    assert spans(store, as_of=1002) == {("Ben", 5, 30, "Ann"), ("Ann", 30, None, None)}


def test_bounded_line_before_a_lower_interval_promotes_nothing() -> None:
    store = Store()
    store.write(east("Ann", 30), 1001, "derived")
    assert store.write(east("Ann", 20, 60), 1002, "curated").kind == "landed"
    assert spans(store) == {("Ann", 20, 60, None), ("Ann", 30, None, None)}


def test_expiry_leaves_a_gap_and_ends_succession() -> None:
    store = Store()
    store.write(east("Ann", 10), 1001)
    store.write(east("Ben", 30), 1002)
    assert store.expire(A, 20, 1003).closures == (Closure(A, 10, 20, "expired", (1003, "", 0)),)
    # Ann ended at 20, before Ben: nobody superseded her, and 20 to 30 answers nothing.
    assert spans(store) == {("Ann", 10, 20, None), ("Ben", 30, None, None)}
    assert store.recall("orion", 20) == []
    # As of the commit before the expiry Ben had ended her.
    assert spans(store, as_of=1002) == {("Ann", 10, 30, "Ben"), ("Ben", 30, None, None)}


def test_expiry_at_and_after_the_later_start() -> None:
    for expiry, expected in ((30, ("Ann", 10, 30, None)), (31, ("Ann", 10, 30, "Ben"))):
        store = Store()
        store.write(east("Ann", 10), 1001)
        store.expire(A, expiry, 1002)
        store.write(east("Ben", 30), 1003)
        # At 30 the expiry comes no later than Ben's start, so Ben replaced nobody; at 31 he did, at 30.
        assert spans(store) == {expected, ("Ben", 30, None, None)}


def test_expire_and_retract_refusals() -> None:
    store = Store()
    store.write(east("Ann", 10), 1001)
    assert store.expire(B, 20, 1002).identifier == "ClaimUnknown"
    assert store.expire(A, 5, 1003).identifier == "ClaimUnknown"
    assert store.expire(A, 10, 1004).identifier == "ArgumentMalformed"
    assert store.expire(A, 20, 1005, valid_from=11).identifier == "ClaimUnknown"
    assert store.retract(A, "wrong", 1006, valid_from=11).identifier == "ClaimUnknown"
    assert store.retract(A, "wrong", 1007).kind == "closed"
    assert store.retract(A, "wrong", 1008).identifier == "ClaimUnknown"
    assert store.expire(A, 20, 1009).identifier == "ClaimUnknown"


def test_expiry_takes_the_interval_that_contains_it_and_retraction_the_newest() -> None:
    store = Store()
    store.write_batch([east("Ann", 10), east("Ben", 20), east("Ann", 30)], 1001)
    assert store.expire(A, 15, 1002).valid_from == 10
    assert store.retract(A, "wrong", 1003).valid_from == 30
    assert spans(store) == {("Ann", 10, 15, None), ("Ben", 20, None, None)}


def test_retraction_lets_the_predecessor_run_on() -> None:
    store = Store()
    store.write_batch([east("Ann", 10), east("Ben", 20), east("Cy", 30)], 1001)
    store.retract(B, "wrong", 1002)
    # Without Ben, the next later arrival ends Ann.
    assert spans(store) == {("Ann", 10, 30, "Cy"), ("Cy", 30, None, None)}
    store.retract(C, "wrong", 1003)
    assert spans(store) == {("Ann", 10, None, None)}
    assert spans(store, as_of=1001) == {("Ann", 10, 20, "Ben"), ("Ben", 20, 30, "Cy"), ("Cy", 30, None, None)}


def test_reopened_key_is_a_new_arrival() -> None:
    store = Store()
    store.write(east("Ann", 10), 1001)
    store.retract(A, "wrong", 1002)
    store.write(east("Ben", 10), 1003)
    # Ann arrived first, but her key was closed: said again, she arrives after Ben and replaces him at the same start.
    again = store.write(east("Ann", 10), 1004)
    assert (again.kind, again.retired) == ("landed", 1)
    assert spans(store) == {("Ben", 10, 10, "Ann"), ("Ann", 10, None, None)}
    assert {p.object: p.arrival[0] for p in store.window()} == {"Ann": 1004, "Ben": 1003}


def test_expired_claim_said_again_inside_and_after_its_interval() -> None:
    store = Store()
    store.write(east("Ann", 10), 1001)
    store.expire(A, 20, 1002)
    # [10, 20) contains 10 and 15: restated, the expiry stays. At 20 she is not live any more: a second interval.
    assert [store.write(east("Ann", at), 1000 + at).kind for at in (10, 15, 20)] == ["restated", "restated", "landed"]
    assert spans(store) == {("Ann", 10, 20, None), ("Ann", 20, None, None)}


def test_newer_version_keeps_the_arrival_of_an_open_key() -> None:
    ann = Version(A, "orion", "lead", "Ann", "east", "researched", 10, None, (1001, "", 0))
    ben = Version(B, "orion", "lead", "Ben", "east", "curated", 10, None, (1002, "", 0))
    better = Version(A, "orion", "lead", "Ann", "east", "curated", 10, 90, (1003, "", 0))
    # Ann's newest version counts (curated, until 90), from her first arrival on: Ben, later and as high, replaces her.
    store = Store([better, ben, ann])
    assert spans(store) == {("Ann", 10, 10, "Ben"), ("Ben", 10, None, None)}
    # A closure between her versions makes 1003 her arrival: now she replaces Ben.
    store = Store([better, ben, ann], [Closure(A, 10, None, "wrong", (1002, "", 1))])
    assert spans(store) == {("Ben", 10, 10, "Ann"), ("Ann", 10, 90, None)}


def test_newest_closure_counts() -> None:
    store = Store()
    store.write(east("Ann", 10), 1001)
    store.expire(A, 20, 1002)
    store.expire(A, 40, 1003, valid_from=10)
    assert spans(store) == {("Ann", 10, 40, None)}
    store.retract(A, "wrong", 1004)
    assert spans(store) == set()
    assert spans(store, as_of=1002) == {("Ann", 10, 20, None)}


def test_collision_pair_and_its_resolution() -> None:
    store = Store()
    store.write(plain("Ann", 10), 1001)
    pair = store.write(plain("Ben", 10), 1002, "researched")
    assert (pair.kind, pair.retired) == ("landed", 0)
    assert pair.letters == (Letter("unscoped-collision", tuple(sorted((ANN, BEN)))),)
    assert spans(store) == {("Ann", 10, None, None), ("Ben", 10, None, None)}
    # Ann is live at 20, but one of an unresolved pair: the later line lands and ends both.
    resolution = store.write(plain("Ann", 20), 1003)
    assert (resolution.kind, resolution.valid_from, resolution.retired) == ("landed", 20, 2)
    assert spans(store) == {("Ann", 10, 20, "Ann"), ("Ben", 10, 20, "Ann"), ("Ann", 20, None, None)}
    # Resolved: Ann is live at 30, and saying so is a restatement again.
    assert store.write(plain("Ann", 30), 1004).kind == "restated"


def test_bounded_line_on_a_pair_is_a_restatement() -> None:
    store = Store()
    store.write_batch([plain("Ann", 10), plain("Ben", 10)], 1001)
    assert store.write(plain("Ann", 20, 30), 1002).kind == "restated"
    # A third object at the same start collides with each of the two: one letter per pair.
    third = store.write(plain("Cy", 10), 1003)
    assert {letter.claim_ids for letter in third.letters} == {
        tuple(sorted((ANN, CY))),
        tuple(sorted((BEN, CY))),
    }
    # A third object later on resolves all.
    assert store.write(plain("Dan", 20), 1004).retired == 3


def test_derived_claims_and_scopes_do_not_collide() -> None:
    store = Store()
    store.write(plain("Ann", 10), 1001, "derived")
    # Derived against curated: no collision, the curated one replaces it at the same start.
    decision = store.write(plain("Ben", 10), 1002, "curated")
    assert (decision.retired, decision.letters) == (1, ())
    # Another scope is another line.
    assert store.write(east("Cy", 10), 1003).retired == 0
    assert spans(store) == {("Ann", 10, 10, "Ben"), ("Ben", 10, None, None), ("Cy", 10, None, None)}


def test_recall_filters_and_orders() -> None:
    store = Store()
    store.write(plain("Ann", 10), 1001)
    store.write(plain("Ben", 10), 1002)
    store.write(east("Cy", 20), 1003, "derived")
    store.write(Line("orion", "site", "Oslo", None, 15), 1004)
    store.write(Line("Orion", "lead", "Eve", None, 10), 1005)
    # Curated first, then the newest start, then the id; the subject is case-sensitive.
    first, second = sorted((ANN, BEN))
    expected = [claim_id("orion", "site", "Oslo"), first, second, C]
    assert [p.claim_id for p in store.recall("orion", 20)] == expected
    assert [p.claim_id for p in store.recall("orion", 20, scope="east")] == [C]
    assert [p.claim_id for p in store.recall("orion", 20, predicate="lead")] == [first, second, C]
    assert [p.claim_id for p in store.recall("orion", 20, as_of=1001)] == [ANN]
    assert store.recall("orion", 9) == []


def test_replaced_claim_answers_inside_its_interval() -> None:
    store = Store()
    store.write_batch([east("Ann", 10), east("Ben", 20)], 1001)
    assert [(p.object, p.superseded_by) for p in store.recall("orion", 19)] == [("Ann", B)]
    assert [(p.object, p.superseded_by) for p in store.recall("orion", 20)] == [("Ben", None)]


@settings(max_examples=60, deadline=None)
@given(raw_histories(), st.data())
def test_window_as_of_is_the_window_of_the_rows_so_far(history: RawHistory, data: st.DataObject) -> None:
    as_of = data.draw(st.sampled_from([version.order[0] for version in history.versions] or [0]))
    cut = Store(
        [version for version in history.versions if version.order[0] <= as_of],
        [closure for closure in history.closures if closure.order[0] <= as_of],
    )
    assert history.store().window(as_of) == cut.window()


@settings(max_examples=60, deadline=None)
@given(histories())
def test_batches_decide_as_their_lines_one_by_one(operations: list) -> None:
    whole, single = Store(), Store()
    for number, operation in enumerate(operations):
        stamp = 10**16 + 100 * number
        if isinstance(operation, WriteBatch):
            together = whole.write_batch(operation.lines, stamp, operation.tier)
            apart = [
                single.write(line, stamp + seq, operation.tier) for seq, line in enumerate(operation.lines, start=1)
            ]
            assert [(d.kind, d.valid_from, d.identifier, d.retired) for d in together] == [
                (d.kind, d.valid_from, d.identifier, d.retired) for d in apart
            ]
        else:
            assert replay(whole, [operation], [stamp])[0][0].kind == replay(single, [operation], [stamp])[0][0].kind
    assert [_without_arrival(p) for p in whole.window()] == [_without_arrival(p) for p in single.window()]


def _without_arrival(p: Interval) -> tuple:
    return (*p.key, p.tier, p.valid_to, p.successor)
