"""What a caller sees: ungranted tables, masks and row filters, in every read and in every write."""

import json
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from granting import granted, narrowed, token
from placing import Placed, cited
from settling import observation, registration
from writing import Facts, claim, day

from contextful_cli import calibration, lake, land, recall, revise, settle
from contextful_cli.caller import Caller, local_operator
from contextful_cli.errors import ContextfulError
from contextful_cli.reader import Reader
from contextful_cli.revision import closing
from contextful_cli.settings import Home
from contextful_cli.tables import Table

EVENT = cited(("events", "e", 0))
ALL = ("facts", "events", "people")
SETTLED = {
    "bets": "'s' || i as subject, timestamptz '2026-01-01' as predicted_at, timestamptz '2026-01-02' as deadline_at, "
    "'manual' as resolution_source",
    "results": "timestamptz '2026-01-01' as observed_at, i % 2 = 0 as verdict, 'manual' as resolution_source, "
    "if(i % 2 = 0, 'even', 'odd') as signal",
}


@pytest.fixture
def placed(home: Home) -> Iterator[Placed]:
    """A lake with three events and two people, one with two versions."""
    placing = Placed(home)
    placing.rows("events", "e", 3, id="i", note="'n' || i")
    placing.rows("people", "p", 2, id="'id' || i", name="'name' || i")
    placing.rows("people", "q", 1, id="'id0'", name="'renamed'")
    yield placing
    placing.close()


def answer(caller: Caller, **asked: Any) -> dict[str, Any]:
    with Reader(caller) as reader:
        return recall.recall(reader, recall.Request(**{"table": "facts", "subject": "orion"} | asked))


def column(found: dict[str, Any], name: str) -> list[Any]:
    at = found["columns"].index(name)
    return [row[at] for row in found["rows"]]


def unresolved(found: dict[str, Any]) -> int:
    return found["contextful.recall"]["suppressed"]["MemoryEvidenceUnresolved"]


def identifier(call: Callable[[], Any]) -> str:
    with pytest.raises(ContextfulError) as refused:
        call()
    return refused.value.identifier


class TestUngrantedTables:
    @pytest.mark.rule("recall.keyed-not-claims")
    def test_an_ungranted_table_is_like_one_that_is_not_there(self, home: Home, placed: Placed) -> None:
        placed.claim("odds")
        caller = granted(home, read=ALL)
        told = {}
        for name in ("odds", "nowhere", "results", "visits"):
            with pytest.raises(ContextfulError) as refused:
                answer(caller, table=name)
            told[name] = (refused.value.identifier, refused.value.message.replace(name, "?"))
        assert len(set(told.values())) == 1
        assert told["odds"][0] == "EnforceUnknownRelation"
        assert identifier(lambda: answer(caller, table="events")) == "MemoryRecallNotClaims"

    def test_a_right_to_write_or_erase_is_none_to_read(self, home: Home, placed: Placed) -> None:
        caller = granted(home, read=("events",), write=("facts",), erase=("facts",))
        assert identifier(lambda: answer(caller)) == "EnforceUnknownRelation"

    def test_writes_refuse_alike(self, home: Home, placed: Placed) -> None:
        caller = granted(home, read=("facts", "bets", "results", "people"), write=("odds", "people"))
        ending = closing.Ending("c-1", "expired", 1)
        writes: dict[str, Callable[[str], Any]] = {
            "write": lambda name: revise.write_one(caller, name, revise.Claim(claim())),
            "expire": lambda name: closing.end(caller, name, ending),
            "predict": lambda name: settle.predict_one(caller, name, registration()),
            "observe": lambda name: settle.observe_one(caller, name, observation()),
            "land": lambda name: land.land(caller, land.Request(name, "nothing.csv")),
        }
        names = ("facts", "odds", "bets", "results", "nowhere", "facts_closures", "odds_letters", "visits")
        for verb, call in writes.items():
            told = set()
            for name in names:
                if verb == "land" and name.startswith("odds"):  # granted: it is told what writes claims
                    continue
                with pytest.raises(ContextfulError) as refused:
                    call(name)
                told.add((refused.value.identifier, refused.value.message.replace(name, "?")))
            assert {one for one, _ in told} == {"GrantWriteNotCovered"}
            assert len(told) == 1

    @pytest.mark.rule("recall.evidence-unresolved")
    def test_evidence_in_an_ungranted_table_does_not_resolve(self, home: Home, placed: Placed) -> None:
        placed.claim(evidence=EVENT)
        placed.claim(claim_id="c-2", predicate="age", evidence=cited(("people", "p", 1)))
        assert column(answer(granted(home, read=ALL)), "claim_id") == ["c-1", "c-2"]
        found = answer(granted(home, read=("facts", "events")))
        assert (column(found, "claim_id"), unresolved(found)) == (["c-1"], 1)

    def test_subjects_and_letters_of_granted_tables_only(self, home: Home, placed: Placed) -> None:
        placed.claim()
        placed.claim("odds", subject="vega")
        with Reader(granted(home, read=("facts",))) as reader:
            assert recall.subjects(reader, "facts")["rows"] == [["orion", 1]]
            assert identifier(lambda: recall.subjects(reader, "odds")) == "EnforceUnknownRelation"
            assert identifier(lambda: recall.letters(reader, "odds")) == "EnforceUnknownRelation"
            assert recall.letters(reader)["rows"] == []


class TestMasks:
    @pytest.mark.parametrize(
        "name",
        [
            "claim_id",
            "predicate",
            "object",
            "scope",
            "tier",
            "confidence",
            "evidence",
            "superseded_by",
            "grant_id",
            "agent",
        ],
    )
    def test_a_masked_column_reads_as_null(self, home: Home, placed: Placed, name: str) -> None:
        placed.claim(scope="s", grant_id="g", valid_to="2090-01-01T00:00:00Z")
        whole = answer(granted(home, read=ALL))
        found = answer(granted(home, read=ALL, masks=(f"facts.{name}",)))
        # An id is a digest of these: who may not read them could find them by guessing.
        ids = {"claim_id", "superseded_by"} if name in {"claim_id", "predicate", "object", "scope"} else set()
        also = ids | ({"evidence_omitted"} if name == "evidence" else set())
        expected = [
            None if one in {name, *also} else value
            for one, value in zip(whole["columns"], whole["rows"][0], strict=True)
        ]
        assert found["rows"] == [expected]

    @pytest.mark.parametrize("name", ["subject", "valid_from", "valid_to"])
    def test_nothing_is_found_by_a_masked_column(self, home: Home, placed: Placed, name: str) -> None:
        placed.claim(scope="s")
        assert answer(granted(home, read=ALL, masks=(f"facts.{name}",)))["rows"] == []

    @pytest.mark.parametrize(("name", "value"), [("scope", "s"), ("predicate", "lead")])
    def test_nor_told_apart_by_one(self, home: Home, placed: Placed, name: str, value: str) -> None:
        placed.claim(scope="s")
        caller = granted(home, read=ALL, masks=(f"facts.{name}",))
        assert answer(caller, **{name: value})["rows"] == answer(caller, **{name: "other"})["rows"] == []
        assert len(answer(caller)["rows"]) == 1

    @pytest.mark.rule("recall.evidence-unresolved")
    def test_a_mask_on_a_cited_table_withholds(self, home: Home, placed: Placed) -> None:
        placed.claim(evidence=EVENT)
        placed.claim(claim_id="c-2", predicate="age", evidence=cited(("people", "p", 1)))
        for mask in ("events.note", "events._run_id", "events._ingested_at"):
            found = answer(granted(home, read=ALL, masks=(mask,)))
            assert (column(found, "claim_id"), unresolved(found)) == (["c-2"], 1)

    @pytest.mark.rule("recall.evidence-unresolved")
    def test_citation_290_of_300_masked_withholds(self, home: Home, placed: Placed) -> None:
        placed.rows("events", "many", 299, id="i")
        citations = [("events", "many", number) for number in range(299)]
        placed.claim(evidence=cited(*citations[:289], ("people", "p", 1), *citations[289:]))
        whole = answer(granted(home, read=ALL))
        assert column(whole, "evidence_omitted") == [44]
        found = answer(granted(home, read=ALL, masks=("people.name",)))
        assert (found["rows"], unresolved(found)) == ([], 1)

    def test_masked_subjects_are_none(self, home: Home, placed: Placed) -> None:
        placed.claim()
        with Reader(granted(home, read=ALL, masks=("facts.subject",))) as reader:
            assert recall.subjects(reader, "facts")["rows"] == []

    def test_a_masked_column_is_meant_in_any_case(self, home: Home, placed: Placed) -> None:
        placed.claim()
        assert column(answer(granted(home, read=ALL, masks=("facts.Object",))), "object") == [None]
        assert answer(granted(home, read=ALL, filters=("facts.OBJECT=Noor",)))["rows"] == []

    def test_a_mask_of_no_column_hides_the_table(self, home: Home, placed: Placed) -> None:
        placed.claim()
        for mask in ("facts.renamed", 'facts.x" --'):
            assert identifier(lambda: answer(granted(home, read=ALL, masks=(mask,)))) == "EnforceUnknownRelation"  # noqa: B023
        found = answer(granted(home, read=ALL, masks=("events.renamed",)))
        assert (found["rows"], unresolved(found)) == ([], 1)

    def test_a_mask_of_one_table_leaves_another(self, home: Home, placed: Placed) -> None:
        placed.claim("odds", object="o")
        caller = granted(home, read=("odds", *ALL), masks=("facts.object",))
        assert column(answer(caller, table="odds"), "object") == ["o"]


class TestRowFilters:
    def test_only_rows_with_the_value(self, home: Home, placed: Placed) -> None:
        placed.claim(scope="a", object="in a")
        placed.claim(claim_id="c-2", scope="b", object="in b")
        placed.claim(claim_id="c-3", object="in none")
        caller = granted(home, read=ALL, filters=("facts.scope=a",))
        assert column(answer(caller), "object") == ["in a"]
        with Reader(caller) as reader:
            assert recall.subjects(reader, "facts")["rows"] == [["orion", 1]]
        both = granted(home, read=ALL, filters=("facts.scope=a", "facts.scope=b"))
        assert sorted(column(answer(both), "object")) == ["in a", "in b"]
        neither = granted(home, read=ALL, filters=("facts.scope=a", "facts.object=in b"))
        assert answer(neither)["rows"] == []

    @pytest.mark.parametrize("value", ["a' or true --", '"', "雪 ', $1", "{{ 1 }}", "%", "a\\'", ""])
    def test_values_are_values_whatever_they_hold(self, home: Home, placed: Placed, value: str) -> None:
        placed.claim(scope="a")
        caller = granted(home, read=ALL, filters=(f"facts.scope={value}",))
        assert answer(caller)["rows"] == []
        placed.claim(claim_id="c-2", object="found", scope=value)
        assert column(answer(caller), "object") == ["found"]

    @pytest.mark.parametrize(
        ("name", "value"),
        [("tier", "curated"), ("confidence", "0.9"), ("valid_from", "2026-01-01 00:00:00+00"), ("_row_seq", "0")],
    )
    def test_any_column_as_its_text(self, home: Home, placed: Placed, name: str, value: str) -> None:
        placed.claim()
        assert len(answer(granted(home, read=ALL, filters=(f"facts.{name}={value}",)))["rows"]) == 1
        assert answer(granted(home, read=ALL, filters=(f"facts.{name}=x",)))["rows"] == []

    def test_an_undeclared_column_hides_everything(self, home: Home, placed: Placed) -> None:
        placed.claim()
        for wish in ({"filters": ("facts.gone=a",)}, {"filters": ('facts.x" or true --=a',)}):
            assert answer(granted(home, read=ALL, **wish))["rows"] == []

    def test_a_hidden_successor_ends_and_is_not_named(self, home: Home, placed: Placed) -> None:
        placed.claim(object="Mira")
        placed.claim(claim_id="c-2", object="Noor", valid_from="2026-03-01T00:00:00Z")
        caller = granted(home, read=ALL, filters=("facts.object=Mira",))
        assert answer(caller)["rows"] == []  # it does not come back to life
        then = answer(caller, observed_at="2026-02-01T00:00:00Z")
        assert column(then, "object") == ["Mira"]
        assert column(then, "valid_to") == ["2026-03-01T00:00:00.000000Z"]
        assert column(then, "superseded_by") == [None]

    def test_a_hidden_newer_version_brings_no_older_one_back(self, home: Home, placed: Placed) -> None:
        placed.claim(confidence=0.5)
        placed.claim(confidence=0.9)
        assert answer(granted(home, read=ALL, filters=("facts.confidence=0.5",)))["rows"] == []

    @pytest.mark.rule("recall.evidence-unresolved")
    def test_hidden_source_rows_do_not_resolve(self, home: Home, placed: Placed) -> None:
        placed.claim(evidence=EVENT)
        placed.claim(claim_id="c-2", predicate="age", evidence=cited(("events", "e", 1)))
        placed.claim(claim_id="c-3", predicate="both", evidence=cited(("events", "e", 0), ("events", "e", 1)))
        found = answer(granted(home, read=ALL, filters=("events.note=n1",)))
        assert (column(found, "claim_id"), unresolved(found)) == (["c-2"], 2)

    @pytest.mark.rule("recall.evidence-unresolved", "recall.evidence-key")
    def test_a_hidden_row_is_not_gone_whatever_became_of_its_key(
        self, home: Home, placed: Placed, tables: list[Table]
    ) -> None:
        """Its digest leads to a version that the caller sees, and the claim rests on one that it does not."""
        placed.rows("people", "west", 1, id="'k'", name="'west'")
        written = revise.Claim(claim(evidence=[{"table": "people", "run": "west", "seq": 0}]), day(1))
        revise.write_one(local_operator(home, tables), "facts", written)
        placed.rows("people", "east", 1, id="'k'", name="'east'")
        caller = granted(home, read=ALL, filters=("people.name=east",))
        found = answer(caller)
        assert (found["rows"], unresolved(found)) == ([], 1)
        assert len(answer(granted(home, read=ALL, filters=("people.name=west",)))["rows"]) == 1
        placed.gone("people", "west", 0)
        found = answer(caller)  # now it is gone, and its key is live
        assert (len(found["rows"]), found["contextful.recall"]["stale"]) == (1, 1)

    def test_a_hidden_later_version_tells_of_no_staleness(self, home: Home, placed: Placed) -> None:
        placed.claim(evidence=cited(("people", "p", 0)))
        assert answer(granted(home, read=ALL))["contextful.recall"]["stale"] == 1
        found = answer(granted(home, read=ALL, filters=("people.name=name0",)))
        assert (len(found["rows"]), found["contextful.recall"]["stale"]) == (1, 0)

    def test_the_same_through_a_published_copy(self, home: Home, placed: Placed, tables: list[Table]) -> None:
        from contextful_cli import warehouse

        placed.claim(scope="a", evidence=EVENT)
        placed.claim(claim_id="c-2", scope="b", evidence=cited(("people", "p", 0)))
        warehouse.build(home, [])
        placed.claim(claim_id="c-3", scope="a", predicate="later", evidence=cited(("people", "p", 1)))
        caller = granted(home, read=ALL, filters=("facts.scope=a", "people.id=id1"))
        assert column(answer(caller), "claim_id") == ["c-1", "c-3"]
        caller = granted(home, read=ALL, masks=("facts.object",), filters=("people.id=id0",))
        assert column(answer(caller), "scope") == ["a", "b"]
        assert column(answer(caller), "object") == [None, None]
        assert unresolved(answer(granted(home, read=ALL, masks=("people.name",)))) == 2


class TestLetters:
    @pytest.fixture
    def told(self, home: Home, tables: list[Table]) -> Iterator[Facts]:
        facts = Facts(home, tables)
        facts.land("events", "e", {"id": 1})
        facts.land("people", "p", {"id": "a", "name": "Ada"})
        facts.write(day(1), evidence=[{"table": "events", "run": "e", "seq": 0}])
        facts.write(day(1), object="Noor", evidence=[{"table": "people", "run": "p", "seq": 0}])
        yield facts
        facts.close()

    def letters(self, caller: Caller) -> list[dict[str, Any]]:
        with Reader(caller) as reader:
            found = recall.letters(reader, "facts")
        return [dict(zip(found["columns"], row, strict=True)) for row in found["rows"]]

    def test_detail_for_those_who_may_read_every_cited_row(self, home: Home, told: Facts) -> None:
        (whole,) = self.letters(granted(home, read=ALL))
        assert "c-" in whole["detail"]
        assert [one["table"] for one in whole["evidence"]] == ["people"]
        for wish, cited_tables in (
            ({"read": ("facts", "events")}, []),
            ({"read": ALL, "masks": ("people.name",)}, []),
            ({"read": ALL, "filters": ("people.id=b",)}, ["people"]),
            ({"read": ALL, "masks": ("facts.object",)}, ["people"]),
        ):
            (found,) = self.letters(granted(home, **wish))
            assert (found["reason"], found["detail"], found["response"]) == ("unscoped-collision", None, None)
            assert [one["table"] for one in found["evidence"]] == cited_tables

    def test_none_of_a_table_that_is_filtered(self, home: Home, told: Facts) -> None:
        assert self.letters(granted(home, read=ALL, filters=("facts.object=Mira",))) == []


class TestCalibration:
    @pytest.fixture
    def settled(self, home: Home, placed: Placed) -> Placed:
        """Forty forecasts at 0.9 of which half came true: a map that helps."""
        con = lake.open_lake(home, read_only=False)
        with lake.commit(con, home, "test") as work:
            made = f"make_timestamp_ns({work.stamp * 1000}) as _ingested_at, 'f' as _run_id, i as _row_seq"
            for table, columns in SETTLED.items():
                work.touch(table)
                con.execute(
                    f"insert into landing.main.{table} by name "
                    f"select 'c-' || i as prediction_id, {columns}, {made} from range(40) as t(i)"
                )
        con.close()
        for number in range(40):
            parity = "even" if number % 2 == 0 else "odd"
            placed.claim("odds", claim_id=f"c-{number}", subject=f"s{number}", confidence=0.9, scope=parity)
        return placed

    PAIR = ("odds", "bets", "results", "events")

    def served(self, caller: Caller) -> tuple[float | None, str]:
        found = answer(caller, table="odds", subject="s0")
        return column(found, "confidence")[0], column(found, "confidence_label")[0]

    @pytest.mark.rule("recall.confidence-label", "settle.label-join")
    def test_labels_are_those_the_caller_reads(self, home: Home, settled: Placed) -> None:
        assert self.served(granted(home, read=self.PAIR)) == (0.5, "calibrated")
        raw = (0.9, "uncalibrated")
        assert self.served(granted(home, read=("odds", "events"))) == raw
        assert self.served(granted(home, read=("odds", "bets", "events"))) == raw
        assert self.served(granted(home, read=("odds", "results", "events"))) == raw
        assert self.served(granted(home, read=self.PAIR, masks=("results.verdict",))) == raw
        assert self.served(granted(home, read=self.PAIR, masks=("bets.prediction_id",))) == raw
        assert self.served(granted(home, read=self.PAIR, masks=("odds.confidence",))) == (None, "uncalibrated")

    @pytest.mark.rule("settle.label-join")
    def test_hidden_outcomes_teach_nothing(self, home: Home, settled: Placed) -> None:
        # Of the even ones alone all came true: the map says 1.
        assert self.served(granted(home, read=self.PAIR, filters=("results.signal=even",))) == (1.0, "calibrated")
        assert self.served(granted(home, read=self.PAIR, filters=("odds.scope=even",))) == (1.0, "calibrated")

    @pytest.mark.rule("settle.label-join")
    def test_a_report_counts_what_its_reader_sees(self, home: Home, settled: Placed) -> None:
        def joined(**wish: Any) -> tuple[int, int]:
            made = calibration.report(granted(home, **wish), "odds", calibration.Window())
            return made["joined"], made["predictions"]["settled"]

        assert joined(read=self.PAIR) == (40, 40)
        assert joined(read=self.PAIR, filters=("results.signal=odd",)) == (20, 20)
        assert joined(read=self.PAIR, filters=("odds.scope=odd",)) == (20, 40)
        assert joined(read=self.PAIR, filters=("bets.subject=s7",)) == (1, 1)
        assert joined(read=("odds", "results")) == (0, 0)
        assert identifier(lambda: joined(read=("bets", "results"))) == "EnforceUnknownRelation"
        assert identifier(lambda: joined(read=("odds", "bets"))) == "ArgumentMalformed"

    def test_kept_reports_are_for_those_who_see_everything(
        self, home: Home, settled: Placed, tables: list[Table]
    ) -> None:
        operator, window = local_operator(home, tables), calibration.window(home, None, None, ends_today=True)
        made = calibration.report(operator, "odds", window)
        assert calibration.save(granted(home, read=self.PAIR, write=("odds",)), window, made)
        assert len(calibration.trend(granted(home, read=self.PAIR), "odds")) == 1
        part = {"read": self.PAIR, "write": ("odds",), "filters": ("results.signal=odd",)}
        assert calibration.trend(granted(home, **part), "odds") == []
        assert identifier(lambda: calibration.save(granted(home, **part), window, made)) == "GrantWriteNotCovered"
        assert (
            identifier(lambda: calibration.save(granted(home, read=self.PAIR), window, made)) == "GrantWriteNotCovered"
        )


class TestWrites:
    def written(self, caller: Caller, **given: Any) -> dict[str, Any]:
        return revise.write_one(caller, "facts", revise.Claim(claim(**given), day(1)))

    def test_a_filter_on_the_line_lets_its_lines_be_written(self, home: Home, tables: list[Table]) -> None:
        caller = granted(home, read=ALL, write=("facts",), filters=("facts.scope=mine",))
        assert self.written(caller, scope="mine")["landed"]
        assert identifier(lambda: self.written(caller, scope="theirs")) == "GrantWriteNotCovered"
        assert identifier(lambda: self.written(caller)) == "GrantWriteNotCovered"

    @pytest.mark.parametrize(
        "wish", [{"masks": ("facts.agent",)}, {"filters": ("facts.object=Mira",)}, {"filters": ("facts.gone=x",)}]
    )
    def test_a_writer_who_sees_half_a_line_writes_none(
        self, home: Home, tables: list[Table], wish: dict[str, Any]
    ) -> None:
        caller = granted(home, read=ALL, write=("facts",), **wish)
        assert identifier(lambda: self.written(caller)) == "GrantWriteNotCovered"
        ending = closing.Ending("c-1", "expired", 1)
        assert identifier(lambda: closing.end(caller, "facts", ending)) == "GrantWriteNotCovered"

    def test_each_line_of_a_file_by_itself(self, home: Home, tmp_path: Any) -> None:
        caller = granted(home, read=ALL, write=("facts",), filters=("facts.subject=orion", "facts.subject=vega"))
        file = tmp_path / "lines.jsonl"
        subjects = ("orion", "lyra", "vega")
        file.write_text("".join(json.dumps({"claim": json.loads(claim(subject=one))}) + "\n" for one in subjects))
        report = revise.write_file(caller, "facts", str(file), None, lambda *_: None)
        assert (report.landed, [(one.line, one.identifier) for one in report.refused]) == (
            2,
            [(2, "GrantWriteNotCovered")],
        )

    def test_a_hidden_claim_cannot_be_ended(self, home: Home, tables: list[Table]) -> None:
        made = self.written(local_operator(home, tables), scope="theirs")["claim_id"]
        caller = granted(home, read=ALL, write=("facts",), filters=("facts.scope=mine",))
        told = []
        for claim_id in (made, "c-" + "0" * 24):
            with pytest.raises(ContextfulError) as refused:
                closing.end(caller, "facts", closing.Ending(claim_id, "retracted"))
            told.append((refused.value.identifier, refused.value.message.replace(claim_id, "?")))
        assert told[0] == told[1]
        assert told[0][0] == "ClaimUnknown"

    def test_registrations_and_observations_want_a_whole_view(self, home: Home, tables: list[Table]) -> None:
        rights = {"read": ("bets", "results"), "write": ("bets", "results")}
        part = granted(home, **rights, filters=("bets.subject=vega",))
        assert identifier(lambda: settle.predict_one(part, "bets", registration())) == "GrantWriteNotCovered"
        settle.predict_one(granted(home, **rights), "bets", registration())
        # Observing reads the registration through the writer's session.
        assert identifier(lambda: settle.observe_one(part, "results", observation())) == "OutcomePredictionUnregistered"
        blind = granted(home, read=("results",), write=("results",))
        assert (
            identifier(lambda: settle.observe_one(blind, "results", observation())) == "OutcomePredictionUnregistered"
        )
        assert settle.observe_one(granted(home, **rights), "results", observation())["verdict"] is True


class TestDigests:
    """A citation's digest is made of its row's key, as far as the writer may read it."""

    def digest(self, home: Home, **wish: Any) -> Any:
        rights = {"read": ALL, "write": ("facts",)} | wish
        made = revise.write_one(
            granted(home, **rights),
            "facts",
            revise.Claim(claim(subject=str(wish), evidence=[{"table": "people", "run": "p", "seq": 1}]), day(1)),
        )
        con = lake.open_lake(home)
        (evidence,) = con.execute(
            "select evidence from landing.main.facts where claim_id = ?", [made["claim_id"]]
        ).fetchone()
        con.close()
        return evidence[0]["key_digest"]

    @pytest.mark.rule("recall.evidence-key-masked")
    def test_a_masked_key_leaves_none(self, home: Home, placed: Placed) -> None:
        whole = self.digest(home)
        assert len(whole) == 64
        assert self.digest(home, masks=("people.id",)) is None
        assert self.digest(home, masks=("people.name",)) == whole

    @pytest.mark.rule("recall.evidence-key-masked")
    def test_nor_does_a_row_that_is_not_readable(self, home: Home, placed: Placed) -> None:
        assert self.digest(home, read=("facts", "events")) is None
        assert self.digest(home, filters=("people.id=id0",)) is None
        assert self.digest(home, filters=("people.id=id1",)) == self.digest(home)

    @pytest.mark.rule("revise.citation-live")
    def test_a_version_counts_as_replaced_where_the_writer_sees_it(self, home: Home, placed: Placed) -> None:
        given = revise.Claim(claim(evidence=[{"table": "people", "run": "p", "seq": 0}]), day(1))
        rights = {"read": ALL, "write": ("facts",)}
        refuses = lambda **wish: identifier(lambda: revise.write_one(granted(home, **rights, **wish), "facts", given))  # noqa: E731
        assert refuses() == refuses(masks=("people.name",)) == "MemoryCitationNotLive"
        hidden = granted(home, **rights, filters=("people.name=name0",))
        assert revise.write_one(hidden, "facts", given)["landed"]


class TestAttribution:
    @pytest.mark.rule("synthesize.attribution", "settle.verb-attribution")
    def test_every_row_says_who_wrote_it(
        self, home: Home, cli: Callable[..., Any], monkeypatch: pytest.MonkeyPatch, tmp_path: Any
    ) -> None:
        tables = ("facts", "bets", "results", "people")
        made = token(home, on_behalf_of="Ann 雪", agent="scribe", read=tables, write=tables)
        last = narrowed(made, expires_in="1h")
        monkeypatch.setenv("CONTEXTFUL_TOKEN", last)
        file = tmp_path / "people.csv"
        file.write_text("id,name\na,Ada\n")
        assert cli("land", "--table", "people", "--from", str(file)).code == 0
        wrote = cli("memory", "write", "--into", "facts", "--claim", claim(), "--observed-at", day(1)).json
        cli("memory", "write", "--into", "facts", "--claim", claim(object="Noor"), "--observed-at", day(1))
        assert cli("memory", "expire", "--table", "facts", "--claim-id", wrote["claim_id"], "--at", day(2)).code == 0
        assert cli("memory", "predict", "--into", "bets", "--registration", registration()).code == 0
        assert cli("memory", "observe", "--into", "results", "--observation", observation()).code == 0
        con = lake.open_lake(home)
        for table in ("people", "facts", "facts_closures", "facts_letters", "bets", "results"):
            rows = con.execute(f"select distinct _authored_by from landing.main.{table}").fetchall()
            assert rows == [("Ann 雪",)], table
        grants = con.execute("select distinct grant_id, agent from landing.main.facts").fetchall()
        con.close()
        chain = cli("token", "inspect").json["revocation_ids"]
        assert grants == [(chain[-1], "scribe")]

    @pytest.mark.rule("synthesize.claim-taint")
    def test_direct_writes_carry_no_taint_and_landed_rows_their_tables(
        self, home: Home, cli: Callable[..., Any], tmp_path: Any
    ) -> None:
        file = tmp_path / "visits.csv"
        file.write_text("place,day,guests\na,2026-01-01,1\n")
        cli("land", "--table", "visits", "--from", str(file))
        cli("land", "--table", "visits", "--from", str(file), "--taint", "ingested:third-party")
        cli("memory", "write", "--into", "facts", "--claim", claim())
        con = lake.open_lake(home)
        assert con.execute("select _taint from landing.main.visits order by _ingested_at").fetchall() == [
            ("ingested:first-party",),
            ("ingested:third-party",),
        ]
        assert con.execute("select _taint from landing.main.facts").fetchall() == [(None,)]
        con.close()
