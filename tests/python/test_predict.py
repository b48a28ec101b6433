"""Registering predictions: what a registration must say, what is stored of it, and that it is never changed."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from threading import Barrier, Thread
from typing import Any

import pytest
from conftest import lay_project
from settling import ABSENT, METRIC, REGISTRATION, Books, counts, fresh, registration

from contextful_cli import instants, settle, warehouse
from contextful_cli.batches import spool
from contextful_cli.caller import Caller
from contextful_cli.errors import ContextfulError
from contextful_cli.settings import Home
from contextful_cli.settlement.writer import Writer
from contextful_cli.tables import Table

INVALID = "OutcomeRegistrationInvalid"
LONGEST = "ż" * 2046 + "🙂"  # 4096 bytes of UTF-8


@pytest.fixture(scope="module")
def tables_of_module(compiled: Home, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Books]:
    """One pair of tables for all tests: their predictions differ, and so they never meet."""
    with fresh(compiled, tmp_path_factory.mktemp("predictions") / "home") as books:
        yield books


@pytest.fixture
def books(tables_of_module: Books, request: pytest.FixtureRequest) -> Books:
    """The tables, with a prediction that no other test names."""
    tables_of_module.id = request.node.nodeid.encode("ascii", "replace").decode()
    return tables_of_module


def us(text: str) -> int:
    """An instant in microseconds."""
    return instants.stored("", text)


@pytest.mark.rule("settle.predict-verb", "settle.restated-landing")
def test_the_verb_tells_the_prediction_and_whether_it_landed(cli: Callable[..., Any]) -> None:
    arguments = ("memory", "predict", "--into", "bets", "--registration", registration())
    assert cli(*arguments).json == {"prediction_id": "p", "landed": True}
    assert cli(*arguments).json == {"prediction_id": "p", "landed": False}
    answer = cli(*arguments[:-1], registration(subject="vega"))
    assert (answer.code, answer.out) == (1, "")
    assert answer.err.startswith("OutcomeRegistrationConflict: ")
    assert "`subject`" in answer.err


class Terminal:
    """A standard output that says it is a terminal."""

    encoding = "utf-8"

    def __init__(self) -> None:
        self.text = ""

    def isatty(self) -> bool:
        return True

    def write(self, text: str) -> None:
        self.text += text

    def flush(self) -> None:
        pass


@pytest.mark.rule("settle.predict-verb")
def test_a_terminal_is_told_the_prediction_alone(home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    from contextful_cli.verbs.predict import predict_verb

    terminal = Terminal()
    monkeypatch.setattr("sys.stdout", terminal)
    predict_verb(into="bets", registration=registration(prediction_id="rain-1\x1b[2J"))
    assert terminal.text == "prediction_id: rain-1\N{REPLACEMENT CHARACTER}[2J\n"


@pytest.mark.rule("settle.predict-verb")
def test_what_is_stored(books: Books) -> None:
    books.predict(statement="It rains.", **METRIC)
    ((*stored, run),) = books.registered(
        """subject, epoch_us(predicted_at), horizon_secs, epoch_us(deadline_at), watch, resolution_source, comparator,
        statement, metric, _row_seq, _authored_by, _taint, _site_id, _batch_seq, _run_id"""
    )
    start = us("2020-01-01T00:00:00Z")
    assert stored[:5] == ["orion", start, 3600, start + 3600 * 10**6, False]
    assert stored[5:9] == ["metric", ">= 3.5", "It rains.", "prices:wheat"]
    assert stored[9:] == [0, "operator", None, None, None]
    assert run.startswith("w-")


FORMS = {
    "a horizon": ({"horizon_secs": 90}, (90, "2020-01-01T00:01:30.000000Z", False)),
    "no time at all": ({"horizon_secs": 0}, (0, "2020-01-01T00:00:00.000000Z", False)),
    "to the end of time": (
        {"horizon_secs": 1, "predicted_at": "9999-12-31T23:59:58.999999Z"},
        (1, "9999-12-31T23:59:59.999999Z", False),
    ),
    "all of time": (
        {"horizon_secs": 315_537_897_599, "predicted_at": "0001-01-01T00:00:00Z"},
        (315_537_897_599, "9999-12-31T23:59:59.000000Z", False),
    ),
    "a deadline": (
        {"horizon_secs": ABSENT, "deadline_at": "2020-03-29T03:00:00.5+02:00"},
        (None, "2020-03-29T01:00:00.500000Z", False),
    ),
    "a deadline at once": (
        {"horizon_secs": ABSENT, "deadline_at": "2020-01-01T00:00:00Z"},
        (None, "2020-01-01T00:00:00.000000Z", False),
    ),
    "a watch": ({"horizon_secs": ABSENT, "watch": True}, (None, None, True)),
    "watch false and null count as left out": (
        {"watch": False, "deadline_at": None, "comparator": None, "statement": None, "metric": None},
        (3600, "2020-01-01T01:00:00.000000Z", False),
    ),
}


@pytest.mark.rule("settle.registration")
@pytest.mark.parametrize(("given", "expected"), FORMS.values(), ids=FORMS)
def test_a_registration_has_one_form(books: Books, given: dict[str, Any], expected: tuple) -> None:
    assert books.predict(**given)
    form = "horizon_secs, strftime(deadline_at, '%Y-%m-%dT%H:%M:%S.%fZ'), watch"
    assert books.registered(form) == [expected]


NO_FORM = {
    "none": {"horizon_secs": ABSENT},
    "none but false": {"horizon_secs": None, "watch": False},
    "a horizon and a deadline": {"deadline_at": "2020-01-02T00:00:00Z"},
    "a horizon and a watch": {"watch": True},
    "a deadline and a watch": {"horizon_secs": ABSENT, "watch": True, "deadline_at": "2020-01-02"},
    "a negative horizon": {"horizon_secs": -1},
    "a horizon with a fraction": {"horizon_secs": 1.5},
    "a horizon written with one": {"horizon_secs": 1.0},
    "a horizon as a string": {"horizon_secs": "3600"},
    "a horizon of true": {"horizon_secs": True},
    "a horizon past the year 9999": {"horizon_secs": 1, "predicted_at": "9999-12-31T23:59:59Z"},
    "a horizon past every number": {"horizon_secs": 2**63 - 1},
    "a horizon past 64 bits": {"horizon_secs": 2**64},
    "a horizon of 63 bits and more": {"horizon_secs": 2**63},
    "a deadline before the prediction": {"horizon_secs": ABSENT, "deadline_at": "2019-12-31T23:59:59.999999Z"},
    "a day that ended before": {"horizon_secs": ABSENT, "deadline_at": "2019-12-30"},
    "a watch as a string": {"horizon_secs": ABSENT, "watch": "true"},
    "a watch as a number": {"horizon_secs": ABSENT, "watch": 1},
}
NO_SOURCE = {
    "no source": {"resolution_source": ABSENT},
    "a null source": {"resolution_source": None},
    "an unknown source": {"resolution_source": "oracle"},
    "a source in capitals": {"resolution_source": "Manual"},
    "a source as a number": {"resolution_source": 1},
    "a metric without a comparator": METRIC | {"comparator": ABSENT},
    "a comparator without a metric": {"comparator": ">= 3.5"},
    "an adjudicator with a comparator": {"resolution_source": "adjudicator", "comparator": ">= 3.5"},
}
COMPARATORS = [">=3.5", ">= 3.5 ", " >= 3.5", ">=  3.5", "=> 3", "== 3", "3.5", ">=", "~ 3", "", " ", ">= .5", ">= 5."]
COMPARATORS += [">= 05", ">= +5", ">= 0x5", ">= 1e999", ">= -1e999", ">= NaN", ">= Infinity", ">= \u0663", ">= 3,5", 5]


@pytest.mark.rule("settle.registration")
@pytest.mark.parametrize("given", (NO_FORM | NO_SOURCE).values(), ids=NO_FORM | NO_SOURCE)
def test_no_form_two_forms_and_no_source_refuse(books: Books, given: dict[str, Any]) -> None:
    assert books.refused_prediction(**given) == INVALID


@pytest.mark.rule("settle.registration")
def test_comparators_are_an_operator_and_a_finite_number(books: Books) -> None:
    for comparator in COMPARATORS:
        assert books.refused_prediction(**METRIC | {"comparator": comparator}) == INVALID, comparator
    for operator in ("<", "<=", ">", ">=", "=", "!="):
        for number in ("0", "-0", "3.50", "1e-400", "-12E+3", "1.7976931348623157e308"):
            comparator = f"{operator} {number}"
            assert books.predict(prediction_id=f"{books.id}{comparator}", **METRIC | {"comparator": comparator})


MALFORMED = {
    "no JSON": "{",
    "nothing": "",
    "blank": " \n",
    "no object": "[]",
    "two values": registration() * 2,
    "a comma too many": registration()[:-1] + ",}",
    "a doubled key": registration()[:-1] + ', "subject": "vega"}',
    "a doubled key by an escape": registration()[:-1] + ', "subj\\u0065ct": "vega"}',
    "an unknown key": registration(colour="red"),
    "an unknown key under null": registration(colour=None),
    "the available time of another table": registration(known_at="2020-01-01T00:00:00Z"),
    "an empty key": registration(**{"": 1}),
    **{f"no {name}": registration(**{name: ABSENT}) for name in ("prediction_id", "subject", "predicted_at")},
    **{f"null for {name}": registration(**{name: None}) for name in ("prediction_id", "subject", "predicted_at")},
    **{
        f"a number for {name}": registration(**{name: 5})
        for name in ("prediction_id", "subject", "statement", "metric")
    },
    **{f"a blank {name}": registration(**{name: " \u2003"}) for name in ("prediction_id", "subject", "statement")},
    **{f"NUL in {name}": registration(**{name: "a\0b"}) for name in ("prediction_id", "subject", "statement")},
    "an object for a string": registration(subject={"a": 1}),
    "NaN": registration(horizon_secs=float("nan")),
    "a lone surrogate": registration(subject="x").replace('"x"', '"\\ud800"'),
    "a byte that is no UTF-8": registration(subject="x").replace('"x"', '"\udcff"'),
}


@pytest.mark.rule("settle.registration")
@pytest.mark.parametrize("given", MALFORMED.values(), ids=MALFORMED)
def test_malformed_registrations_refuse(books: Books, given: str) -> None:
    books.id = "p"
    with pytest.raises(ContextfulError) as refused:
        settle.predict_with(books.predictions, given)
    assert refused.value.identifier == INVALID
    assert books.registered() == []


@pytest.mark.parametrize(
    "text",
    [
        *("2020-01-01", "2020-01-01T00:00:00", "2020-01-01T24:00:00Z", "2020-02-30T00:00:00Z", "soon", "", 5),
        *("2020-01-01T00:00:00.1234567Z", "0001-01-01T00:00:00+00:01", "9999-12-31T23:59:59-00:01"),
    ],
)
def test_other_instants_refuse(books: Books, text: object) -> None:
    assert books.refused_prediction(predicted_at=text) == "InstantMalformed"
    if text != "2020-01-01":
        assert books.refused_prediction(horizon_secs=ABSENT, deadline_at=text) == "InstantMalformed"


@pytest.mark.rule("settle.deadline-date")
def test_a_day_is_a_deadline_at_its_end(books: Books) -> None:
    days = {
        "2020-02-28": "2020-02-29T00:00:00Z",
        "2020-12-31": "2021-01-01T00:00:00Z",
        "2020-03-29": "2020-03-30T00:00:00Z",  # clocks change in Europe; the day in UTC has 24 hours
        "2020-01-01": "2020-01-02T00:00:00Z",  # the prediction's own day
        "9999-12-30": "9999-12-31T00:00:00Z",
    }
    for day, midnight in days.items():
        assert books.predict(prediction_id=f"{books.id}{day}", horizon_secs=ABSENT, deadline_at=day)
        assert not books.predict(prediction_id=f"{books.id}{day}", horizon_secs=ABSENT, deadline_at=midnight)
        assert us(midnight) == instants.stored_deadline("", day)
    assert [at for (at,) in books.registered("epoch_us(deadline_at)")] == [us(midnight) for midnight in days.values()]
    for day in ("9999-12-31", "2020-02-30", "0000-01-01", "2020-1-01", "20200101"):
        assert books.refused_prediction(horizon_secs=ABSENT, deadline_at=day) == "InstantMalformed"
    first = {"predicted_at": "0001-01-01T00:00:00Z", "horizon_secs": ABSENT, "deadline_at": "0001-01-01"}
    assert books.predict(prediction_id=f"{books.id} first", **first)


@pytest.mark.rule("settle.statement-bound")
def test_a_statement_has_at_most_4096_bytes(books: Books) -> None:
    assert len(LONGEST.encode()) == 4096
    assert books.predict(statement=LONGEST)
    assert books.registered("statement") == [(LONGEST,)]
    assert books.refused_prediction(statement=LONGEST + ".") == "OutcomeStatementTooLong"
    assert books.refused_prediction(statement="x" * 4097) == "OutcomeStatementTooLong"


@pytest.mark.rule("settle.metric-reference")
def test_a_metric_names_a_table_and_a_series(books: Books) -> None:
    for number, metric in enumerate(["prices:wheat", "a:b:c", "Łódź:🙂 7", "nowhere:at all"]):
        assert books.predict(prediction_id=f"{books.id}{number}", **METRIC | {"metric": metric})
    assert books.predict(prediction_id=f"{books.id} none", **METRIC | {"metric": ABSENT})
    for metric in ("prices", ":wheat", "prices:", ":", "", " ", " :wheat", "prices:\u2003", "a:b\0"):
        assert books.refused_prediction(**METRIC | {"metric": metric}) == "OutcomeMetricReferenceInvalid"
    for source in ("manual", "adjudicator"):
        given = {"resolution_source": source, "metric": "prices:wheat"}
        assert books.refused_prediction(**given) == "OutcomeMetricReferenceInvalid"


@pytest.mark.rule("settle.restated-landing")
def test_the_same_again_lands_nothing_however_it_is_written(books: Books) -> None:
    assert books.predict(predicted_at="2020-01-01T00:00:00Z", statement="It rains.")
    assert not books.predict(predicted_at="2020-01-01 01:00:00.000000+01:00", statement="It rains.", watch=False)
    assert not books.predict(metric=None, statement="It rains.")
    assert len(books.registered()) == 1


@pytest.mark.rule("settle.registration-conflict")
@pytest.mark.parametrize(
    ("member", "given"),
    [
        ("subject", {"subject": "Orion"}),
        ("predicted_at", {"predicted_at": "2020-01-01T00:00:00.000001Z"}),
        ("horizon_secs", {"horizon_secs": 3601}),
        ("horizon_secs", {"horizon_secs": ABSENT, "deadline_at": "2020-01-01T01:00:00Z"}),  # the same instant
        ("watch", {"horizon_secs": ABSENT, "watch": True}),
        ("resolution_source", {"resolution_source": "manual", "comparator": ABSENT, "metric": ABSENT}),
        ("comparator", {"comparator": ">= 3.50"}),
        ("statement", {"statement": "It rained."}),
        ("statement", {"statement": ABSENT}),
        ("metric", {"metric": "prices:rye"}),
    ],
)
def test_another_registration_of_the_prediction_conflicts(books: Books, member: str, given: dict[str, Any]) -> None:
    one = METRIC | {"statement": "It rains."}
    assert books.predict(**one)
    assert books.refused_prediction(**one | given) == "OutcomeRegistrationConflict"
    report = books.predict_all(books.registration(**one | given), books.registration(**one))
    assert counts(report) == (0, 1, [(1, "OutcomeRegistrationConflict")])
    named = "horizon_secs" if member == "watch" else member
    assert f"`{named}`" in report.refused[0].message


@pytest.mark.rule("settle.registration-conflict", "settle.restated-landing", "settle.registration")
def test_lines_of_a_batch_meet_those_before_them(books: Books) -> None:
    report = books.predict_all(
        books.registration(horizon_secs=-1),  # at fault, so it stands for nothing
        books.registration(),
        books.registration(subject="vega"),
        "",
        books.registration(),
        books.registration(prediction_id=f"{books.id} 2", subject="vega"),
    )
    assert counts(report) == (2, 1, [(1, INVALID), (3, "OutcomeRegistrationConflict")])
    assert books.registered("prediction_id, subject, _row_seq") == [
        (books.id, "orion", 1),
        (f"{books.id} 2", "vega", 5),
    ]
    assert counts(books.predict_all()) == (0, 0, [])


def test_any_text_survives(books: Books) -> None:
    texts = {"prediction_id": f"{books.id} Łukasz 李明 🙂", "subject": "👩‍🚀 İß\u0300", "statement": "a\nb\t\u0085"}
    assert books.predict(**texts)
    assert not books.predict(**texts)
    assert books.registered("prediction_id, subject, statement") == [tuple(texts.values())]


def test_files_and_streams(books: Books, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(spool, "CHUNK_BYTES", 700)
    lines = [books.registration(prediction_id=f"{books.id} {number}") for number in range(9)]
    lines[4:4] = ["oops", "", lines[0]]
    file = tmp_path / "lines.jsonl"
    file.write_text("\ufeff" + "\r\n".join(lines) + "\r\n")
    seen: list[int] = []
    report = settle.predict_file(books.caller, "bets", str(file), lambda done, total: seen.append(done))
    assert counts(report) == (9, 1, [(5, INVALID)])
    assert len(seen) > 2
    assert len({run for run, _ in books.registered()}) == len(seen)


def test_the_report_is_printed_and_a_refusal_exits_1(cli: Callable[..., Any], tmp_path: Path) -> None:
    file = tmp_path / "lines.jsonl"
    file.write_text(registration() + "\nnope\n")
    answer = cli("memory", "predict", "--into", "bets", "--from", str(file))
    assert answer.code == 1
    assert (answer.json["landed"], answer.json["restated"], answer.json["retired"]) == (1, 0, 0)
    assert [(one["line"], one["identifier"]) for one in answer.json["refused"]] == [(2, INVALID)]
    file.write_text("")
    answer = cli("memory", "predict", "--into", "bets", "--from", str(file))
    assert (answer.code, answer.json) == (0, {"landed": 0, "restated": 0, "retired": 0, "refused": []})


MODEL = """
select 'p' || n as prediction_id, 'orion' as subject, date '2020-01-01' + n::integer as predicted_at,
    date '2020-02-01' + n::integer as deadline_at, null::bigint as horizon_secs, false as watch,
    'metric' as resolution_source, '>= 3.5' as comparator, 'prices:wheat' as metric
from range(3) as t (n)
"""


@pytest.mark.rule("settle.deadline-date", "settle.restated-landing")
def test_the_rows_of_a_model_are_registered(
    cli: Callable[..., Any], home: Home, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    project = lay_project(tmp_path / "project")
    (project / "models/samples").mkdir()
    (project / "models/samples/some_registrations.sql").write_text(MODEL)
    monkeypatch.setenv("DBT_PROJECT_DIR", str(project))
    warehouse.build(Home(project=project, root=home.root), warehouse.FUNCTIONS)
    arguments = ("memory", "predict", "--into", "bets", "--from-model", "some_registrations")
    first = cli(*arguments)
    assert first.code == 0, first.err
    assert first.json == {"landed": 3, "restated": 0, "retired": 0, "refused": []}
    # The second time the registrations stand in the published copy.
    assert cli(*arguments).json == {"landed": 0, "restated": 3, "retired": 0, "refused": []}
    times = "strftime(predicted_at, '%Y-%m-%d %H') as made, strftime(deadline_at, '%Y-%m-%d %H') as due"
    first = cli("shell", f"select {times} from landing.main.bets order by prediction_id limit 1")
    assert first.json == {"made": "2020-01-01 00", "due": "2020-02-02 00"}


@pytest.mark.parametrize(
    ("into", "identifier", "named"),
    [
        ("people", "TableShapeRefused", "contextful land --table people"),
        ("tastes", "TableShapeRefused", "contextful land --table tastes"),
        ("facts", "TableShapeRefused", "contextful memory write --into facts"),
        ("results", "TableShapeRefused", "contextful memory observe --into results"),
        ("facts_closures", "GrantWriteNotCovered", "contextful declare list"),
        ("nothing", "GrantWriteNotCovered", "contextful declare list"),
    ],
)
def test_other_tables_refuse_before_the_form(cli: Callable[..., Any], into: str, identifier: str, named: str) -> None:
    answer = cli("memory", "predict", "--into", into, "--registration", "{")
    assert (answer.code, answer.out) == (1, "")
    assert answer.err.startswith(f"{identifier}: ")
    assert named in answer.err


@pytest.mark.parametrize(
    "arguments",
    [(), ("--registration", registration(), "--from", "x.jsonl"), ("--from", "nowhere.jsonl")],
)
def test_arguments_that_do_not_go_together_refuse(cli: Callable[..., Any], arguments: tuple[str, ...]) -> None:
    answer = cli("memory", "predict", "--into", "bets", *arguments)
    assert (answer.code, answer.out, answer.err.split(":")[0]) == (1, "", "ArgumentMalformed")


@pytest.mark.rule("declare.availability")
def test_a_registration_may_say_when_its_source_was_available(home: Home, tables: list[Table]) -> None:
    books = Books(home, tables, "dated_bets", "dated_results")
    try:
        books.predict(known_at="2020-01-01T00:00:00Z")
        books.predict(prediction_id="p2", known_at="2020-01-01T00:00:00")  # without offset: the declared zone
        books.predict(prediction_id="p3")
        assert not books.predict(known_at="2020-01-02T00:00:00Z")  # it tells of the row, and says nothing else
        assert books.refused_prediction(known_at="2020-01-01") == "InstantMalformed"
        stored = books.registered("epoch_us(available_at), epoch_ns(_ingested_at) // 1000")
    finally:
        books.close()
    assert [at for at, _ in stored[:2]] == [us("2020-01-01T00:00:00Z"), us("2019-12-31T23:00:00Z")]
    assert stored[2][0] == stored[2][1]


@pytest.mark.rule("settle.registration-conflict", "settle.restated-landing")
def test_of_two_writers_at_once_one_lands(caller: Caller) -> None:
    barrier, found = Barrier(2), {}

    def write(subject: str) -> None:
        with Writer(caller, settle.predictions_table(caller, "bets")) as writer:
            barrier.wait()
            for number in range(8):
                # Every other prediction is told the same by both.
                given = {"prediction_id": f"p{number}", "subject": subject if number % 2 else "orion"}
                writer.stage([json.dumps(REGISTRATION | given)])
                found[subject, number] = counts(writer.write())

    threads = [Thread(target=write, args=[subject]) for subject in ("orion", "vega")]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for number in range(8):
        both = sorted([found["orion", number], found["vega", number]])
        other = (0, 0, [(1, "OutcomeRegistrationConflict")]) if number % 2 else (0, 1, [])
        assert both == [other, (1, 0, [])]


def test_a_hundred_thousand_lines_in_one_commit(books: Books, tmp_path: Path) -> None:
    lines = [books.registration(prediction_id=f"{books.id} {number % 60_000}") for number in range(100_000)]
    file = tmp_path / "lines.jsonl"
    file.write_text("\n".join(lines))
    for expected in ((60_000, 40_000, []), (0, 100_000, [])):
        report = settle.predict_file(books.caller, "bets", str(file), lambda done, total: None)
        assert counts(report) == expected


def test_the_shape_of_an_unknown_declaration_is_told(caller: Caller) -> None:
    with pytest.raises(ContextfulError, match="declare `predictions: TABLE`") as refused:
        settle.outcomes_table(caller, "loose_results")
    assert refused.value.identifier == "DeclarationMalformed"
