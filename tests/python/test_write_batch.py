"""Writing many lines at once: the same as one by one, in order; refused lines leave the others. Values by hand."""

import io
import json
import os
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from conftest import lay_project
from reference import claim_id
from writing import Facts, day, fresh, line, told

from contextful_cli import instants, lake, revise, warehouse
from contextful_cli.batches import spool
from contextful_cli.caller import local_operator
from contextful_cli.credentials.credential import Credential
from contextful_cli.credentials.rights import OPERATOR
from contextful_cli.errors import ContextfulError
from contextful_cli.settings import Home

D1, D2, D3, D4, D5 = (told(day(number)) for number in range(1, 6))


@pytest.fixture(scope="module")
def table(compiled: Home, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Facts]:
    """One table for all tests: their subjects differ, and so they never meet."""
    with fresh(compiled, tmp_path_factory.mktemp("batches") / "home") as opened_table:
        yield opened_table


@pytest.fixture
def facts(table: Facts, request: pytest.FixtureRequest) -> Facts:
    """The table, about a subject that no other test names."""
    table.subject = request.node.nodeid
    return table


def counts(report: Any) -> tuple[int, int, int, list[tuple[int, str]]]:
    """(landed, restated, retired, refused as (line, identifier))."""
    return report.landed, report.restated, report.retired, [(one.line, one.identifier) for one in report.refused]


@pytest.mark.rule("revise.supersede")
def test_a_return_to_an_earlier_object_in_one_batch(facts: Facts) -> None:
    lines = [facts.line(day(number), object=object) for number, object in ((1, "A"), (2, "B"), (3, "A"))]
    assert counts(facts.batch(*lines)) == (3, 0, 2, [])
    assert facts.windows() == [("A", D1, D2, "B"), ("B", D2, D3, "A"), ("A", D3, None, None)]
    assert counts(facts.batch(*lines)) == (0, 3, 0, [])


@pytest.mark.rule("revise.dedup-key")
def test_a_return_to_an_earlier_object_under_three_keys(facts: Facts) -> None:
    lines = [facts.line(day(n), key=f"k{n}", object=object) for n, object in ((1, "A"), (2, "B"), (3, "A"))]
    assert counts(facts.batch(*lines, lines[0], lines[2])) == (3, 2, 2, [])
    assert facts.windows() == [("A", D1, D2, "B"), ("B", D2, D3, "A"), ("A", D3, None, None)]
    assert counts(facts.batch(*lines)) == (0, 3, 0, [])


def test_refused_lines_leave_the_others(facts: Facts) -> None:
    report = facts.batch(
        facts.line(day(2)),
        "not JSON",
        facts.line(day(1), object="Ben"),
        facts.line(day(3), object="Ben", confidence="1"),
        facts.line("2020-01-04", object="Ben"),
        facts.line(day(5), until=day(4), object="Ben"),
        "",
        facts.line(day(4), object="Ben"),
        json.dumps({"claim": {}, "colour": "red"}),
        json.dumps({"observed_at": day(1)}),
    )
    assert counts(report) == (
        2,
        0,
        1,
        [
            (2, "MemoryClaimMalformed"),
            (3, "MemoryObservationOutOfOrder"),
            (4, "MemoryClaimMalformed"),
            (5, "InstantMalformed"),
            (6, "MemoryClaimMalformed"),
            (9, "MemoryClaimMalformed"),
            (10, "MemoryClaimMalformed"),
        ],
    )
    assert facts.windows() == [("Mira", D2, D4, "Ben"), ("Ben", D4, None, None)]


def test_each_line_meets_what_the_lines_before_it_stored(facts: Facts) -> None:
    report = facts.batch(
        facts.line(day(3), object="A"),
        facts.line(day(1), object="B"),  # A holds from day 3 on
        facts.line(day(1), until=day(3), object="B"),
        facts.line(day(2), object="A"),  # earlier, the same object: lands, bounded B aside
        facts.line(day(2), object="A"),
        facts.line(day(4), object="B"),
        facts.line(day(3), object="A"),
    )
    assert counts(report) == (4, 2, 2, [(2, "MemoryObservationOutOfOrder")])
    assert facts.windows() == [
        ("B", D1, D3, None),
        ("A", D2, D4, "B"),
        ("A", D3, D4, "B"),
        ("B", D4, None, None),
    ]


@pytest.mark.rule("revise.unscoped-collision")
def test_collisions_and_their_resolution_within_one_batch(facts: Facts) -> None:
    report = facts.batch(*(facts.line(day(n), object=object) for n, object in ((1, "A"), (1, "B"), (2, "A"))))
    assert counts(report) == (3, 0, 2, [])
    assert facts.windows() == [("A", D1, D2, "A"), ("B", D1, D2, "A"), ("A", D2, None, None)]
    ((_, reason, detail, _),) = facts.letters()
    assert reason == "unscoped-collision"
    assert all(claim_id(facts.subject, "lead", object) in detail for object in "AB")


@pytest.mark.rule("revise.observed-attest")
def test_lines_without_observed_at_stand_a_microsecond_apart(facts: Facts) -> None:
    assert counts(facts.batch(*(facts.line(object=object) for object in "ABAB"))) == (4, 0, 3, [])
    stored = facts.stored("object, epoch_us(valid_from) - epoch_ns(_ingested_at) // 1000, _row_seq")
    assert stored == [("A", 1, 0), ("B", 2, 1), ("A", 3, 2), ("B", 4, 3)]
    later = instants.stored("", facts.write(object="C").valid_from)
    assert later > max(
        at
        for (at,) in facts.rows(
            "select epoch_us(valid_from) from session.all_memory_facts"
            " where object <> 'C' and valid_from > '2021-01-01'"
        )
    )


@pytest.mark.rule("revise.citation-live")
def test_replaced_citations_are_named(facts: Facts) -> None:
    facts.land("people", "r1", {"id": "1", "name": "Ann"}, {"id": "1", "name": "Anne"})
    cited = [{"table": "people", "run": "r1", "seq": seq} for seq in (0, 1)]
    report = facts.batch(
        facts.line(day(1), evidence=[cited[1]]),
        facts.line(day(2), object="Ben", evidence=[cited[1], cited[0]]),
        facts.line(day(1), evidence=cited),  # restated, whatever it cites
    )
    assert counts(report) == (1, 1, 0, [(2, "MemoryCitationNotLive")])
    assert "people r1:0" in report.refused[0].message
    ((evidence,),) = facts.stored("evidence")
    assert len(evidence[0]["key_digest"]) == 64


@pytest.mark.rule("revise.tier")
def test_the_derived_writer_carries_its_attribution(facts: Facts) -> None:
    credential = Credential(OPERATOR, ("g-0", "g-1"), on_behalf_of="ann", agent="scribe")
    facts.land("visits", "v", {"place": "a", "day": "2020-01-01", "guests": 1})
    lines = [facts.line(day(1)), facts.line(day(2), object="Ben")]
    report = revise.write_derived(facts.writer, lines, credential, "run-1", [("visits", "v", 0)])
    assert counts(report) == (2, 0, 1, [])
    assert facts.stored("tier, grant_id, agent, _authored_by, _taint, _run_id, _row_seq") == [
        ("derived", "g-1", "scribe", "ann", "ingested:first-party", "run-1", row) for row in (0, 1)
    ]
    facts.write(day(3), object="Cy", tier="researched")
    assert facts.windows()[1] == ("Ben", D2, None, None)


@pytest.mark.rule("synthesize.claim-taint")
def test_a_batch_carries_the_least_trusted_label_of_its_rows(facts: Facts) -> None:
    facts.land("visits", "first", *({"place": str(n), "day": "2020-01-01", "guests": n} for n in range(2)))
    facts.land("events", "third", {"id": 1})
    with lake.commit(facts.con, facts.home, "test") as work:  # labels that landing gives to no table here
        work.touch("events")
        for run, taint in (("operators", "operator"), ("unlabelled", None)):
            facts.con.execute(
                "insert into landing.main.events by name select 1 as id, make_timestamp_ns($1) as _ingested_at, "
                "$2 as _run_id, 0 as _row_seq, $3 as _taint",
                [work.stamp * 1000, run, taint],
            )
    operators, unlabelled = ("events", "operators", 0), ("events", "unlabelled", 0)
    first, third = ("visits", "first", 1), ("events", "third", 0)
    for batch, expected in (
        ([operators], "operator"),
        ([first, operators, first], "ingested:first-party"),
        ([first, third, operators], "ingested:third-party"),
        ([operators, unlabelled], "ingested:third-party"),
        ([operators, ("events", "nowhere", 7)], "ingested:third-party"),
        ([], None),
    ):
        assert facts.writer.taint_of(batch) == expected
    letters = [facts.line(day(1), object=one) for one in ("Ann", "Ben")]
    revise.write_derived(facts.writer, letters, local_operator(facts.home, []).credential, "run-1", [first, operators])
    assert set(facts.stored("_taint")) == {("ingested:first-party",)}
    facts.write(day(3), object="Cy")
    assert facts.stored("_taint")[-1] == (None,)


@pytest.mark.rule("revise.supersede")
def test_promotions_within_one_batch(facts: Facts) -> None:
    facts.batch(facts.line(day(3)), tier="researched")
    report = facts.batch(facts.line(day(4), until=day(5), object="Ben"), facts.line(day(1)))
    assert counts(report) == (1, 0, 0, [(2, "MemoryObservationOutOfOrder")])
    report = facts.batch(facts.line(day(2), object="Mira", scope=None), facts.line(day(5)))
    assert counts(report)[3] == [(1, "MemoryObservationOutOfOrder")]
    assert facts.windows() == [("Mira", D3, None, None), ("Ben", D4, D5, None)]
    assert facts.stored("tier, epoch_us(valid_from)")[-1] == ("curated", instants.stored("", day(3)))


def test_a_line_of_many_claims_out_of_order_takes_few_rounds(facts: Facts) -> None:
    """Refused lines change nothing: any number of them is decided in one round."""
    lines = [facts.line(day(31 - number), object=f"o{number}") for number in range(30)]
    report = facts.batch(*lines)
    assert (report.landed, len(report.refused)) == (1, 29)


def test_files_streams_and_chunks(facts: Facts, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(spool, "CHUNK_BYTES", 700)
    lines = [facts.line(day(number + 1), object=f"o{number}") for number in range(12)]
    lines[4:4] = ["oops", ""]
    file = tmp_path / "lines.jsonl"
    file.write_text("\ufeff" + "\r\n".join(lines) + "\r\n")
    seen: list[int] = []
    report = revise.write_file(facts.caller, "facts", str(file), None, lambda done, total: seen.append(done))
    assert counts(report) == (12, 0, 11, [(5, "MemoryClaimMalformed")])
    assert len(seen) > 2
    assert seen[-1] == file.stat().st_size - len("\ufeff".encode())
    assert facts.rows("select count(distinct _run_id) > 1 from session.all_memory_facts where object like 'o%'") == [
        (True,)
    ]
    monkeypatch.setattr("sys.stdin", SimpleNamespace(buffer=io.BytesIO(file.read_bytes())))
    again = revise.write_file(facts.caller, "facts", "-", None, lambda done, total: None)
    assert counts(again) == (0, 12, 0, [(5, "MemoryClaimMalformed")])


@pytest.mark.parametrize(
    "damage",
    [b"\xff\xfe", b'{"claim": "\xc3"}', b"\0", b"\x01\x02\x03\x04", b"x" * 300_000, b'{"a": 1}\r{"b": 2}'],
    ids=["no UTF-8", "half a letter", "NUL", "the delimiter", "too long", "a lone CR"],
)
def test_unreadable_lines_are_refused_alone(
    facts: Facts, tmp_path: Path, damage: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(spool, "MAX_LINE_BYTES", 200_000)
    large = facts.line(day(2), object="L" * 100_000)
    sound = [facts.line(day(1)), large, facts.line(day(3), object="Ben")]
    file = tmp_path / "lines.jsonl"
    file.write_bytes(b"\n".join([sound[0].encode(), damage, sound[1].encode(), damage, sound[2].encode()]))
    report = revise.write_file(facts.caller, "facts", str(file), None, lambda done, total: None)
    assert counts(report) == (3, 0, 2, [(2, "MemoryClaimMalformed"), (4, "MemoryClaimMalformed")])


def test_a_lone_cr_between_tokens_is_white_space(facts: Facts, tmp_path: Path) -> None:
    file = tmp_path / "lines.jsonl"
    file.write_bytes(facts.line(day(1)).replace(", ", ",\r").encode())
    report = revise.write_file(facts.caller, "facts", str(file), None, lambda done, total: None)
    assert counts(report) == (1, 0, 0, [])


def test_the_report_is_printed_and_a_refusal_exits_1(cli: Callable[..., Any], tmp_path: Path) -> None:
    file = tmp_path / "lines.jsonl"
    file.write_text(line(observed_at=day(1)) + "\nnope\n")
    answer = cli("memory", "write", "--into", "facts", "--from", str(file))
    assert answer.code == 1
    (refused,) = answer.json.pop("refused")
    assert (refused.pop("message") != "", refused) == (True, {"line": 2, "identifier": "MemoryClaimMalformed"})
    assert {name: value for name, value in answer.json.items() if name != "refused"} == {
        "landed": 1,
        "restated": 0,
        "retired": 0,
    }
    file.write_text(line(observed_at=day(1)) + "\n")
    answer = cli("memory", "write", "--into", "facts", "--from", str(file))
    assert (answer.code, answer.json) == (0, {"landed": 0, "restated": 1, "retired": 0, "refused": []})


MODEL = """
select 'vega' as subject, 'lead' as predicate, name as "object", null::varchar as "scope", 0.5 as confidence,
    [struct_pack("table" := 'events', run := 'r', seq := 1)] as evidence, since as observed_at,
    null::timestamptz as valid_until
from (values ('Ben', date '2020-01-03'), ('Mira', date '2020-01-01'), ('Cy', date '2020-01-02')) as t (name, since)
"""


def test_the_rows_of_a_model_are_written_in_the_order_of_time(
    cli: Callable[..., Any], home: Home, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    project = lay_project(tmp_path / "project")
    (project / "models/samples").mkdir()
    (project / "models/samples/some_claims.sql").write_text(MODEL)
    monkeypatch.setenv("DBT_PROJECT_DIR", str(project))
    warehouse.build(Home(project=project, root=home.root), warehouse.FUNCTIONS)
    answer = cli("memory", "write", "--into", "facts", "--from-model", "some_claims")
    assert answer.json == {"landed": 3, "restated": 0, "retired": 2, "refused": []}
    assert cli("memory", "write", "--into", "facts", "--from-model", "some_claims").json["restated"] == 3
    (project / "models/samples/some_claims.sql").write_text("select 'vega' as subject, 1 as colour")
    answer = cli("memory", "write", "--into", "facts", "--from-model", "some_claims")
    assert (answer.code, answer.out, answer.err.split(":")[0]) == (1, "", "ArgumentMalformed")
    assert "lacks predicate, object, confidence, evidence and has colour besides" in answer.err


def test_a_missing_file_refuses(facts: Facts) -> None:
    with pytest.raises(ContextfulError, match="ArgumentMalformed"):
        revise.write_file(facts.caller, "facts", "nowhere.jsonl", None, lambda done, total: None)


def test_a_file_is_read_by_its_own_name(facts: Facts, tmp_path: Path) -> None:
    """DuckDB takes a `*` or `[1]` in a name for a pattern, and the end `.gz` for compressed bytes."""
    (tmp_path / "day1.jsonl").write_text(facts.line(day(1), object="unwanted"))
    for number, name in enumerate(["day[1].jsonl", "day?.jsonl", "day*.jsonl", "plain.gz", "plain.zst", "a b'.jsonl"]):
        (tmp_path / name).write_text(facts.line(day(number + 2), object=name))
        report = revise.write_file(facts.caller, "facts", str(tmp_path / name), None, lambda *_: None)
        assert (report.landed, report.refused) == (1, [])
    assert "unwanted" not in {row[0] for row in facts.con.execute("select object from landing.main.facts").fetchall()}


def test_a_pipe_is_read_and_a_folder_refuses(facts: Facts, tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    with ThreadPoolExecutor(1) as pool:
        pool.submit(pipe.write_text, facts.line(day(1)))
        report = revise.write_file(facts.caller, "facts", str(pipe), None, lambda *_: None)
    assert report.landed == 1
    with pytest.raises(ContextfulError, match="is a folder"):
        revise.write_file(facts.caller, "facts", str(tmp_path), None, lambda *_: None)
