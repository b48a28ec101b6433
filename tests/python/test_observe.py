"""Storing what came of predictions: what an observation must say, what it replaces, and the label it gives."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from threading import Barrier, Thread
from typing import Any

import pytest
from conftest import lay_project
from settling import ABSENT, METRIC, OBSERVATION, UNRULED, Books, counts, fresh, observation, registration

from contextful_cli import instants, settle, warehouse
from contextful_cli.batches import spool
from contextful_cli.caller import Caller
from contextful_cli.errors import ContextfulError
from contextful_cli.settings import Home
from contextful_cli.settlement.writer import Writer
from contextful_cli.tables import Table

MEASURED = {"resolution_source": "metric", "metric": "prices:wheat", "settling_citation": ABSENT, "value": 4}
SETTLED, UNREGISTERED = "OutcomeAlreadySettled", "OutcomePredictionUnregistered"
MISMATCH, UNCITED = "OutcomeSourceMismatch", "OutcomeCitationMissing"


@pytest.fixture(scope="module")
def tables_of_module(compiled: Home, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Books]:
    """One pair of tables for all tests: their predictions differ, and so they never meet."""
    with fresh(compiled, tmp_path_factory.mktemp("outcomes") / "home") as books:
        yield books


@pytest.fixture
def books(tables_of_module: Books, request: pytest.FixtureRequest) -> Books:
    """The tables, with a prediction that no other test names."""
    tables_of_module.id = request.node.nodeid.encode("ascii", "replace").decode()
    return tables_of_module


LABEL = {
    "prediction_id": "p",
    "subject": "orion",
    "resolution_source": "manual",
    "verdict": True,
    "signal": None,
    "settling_citation": "https://example.org/ruling",
    "lead_time_s": 1800.0,
}


@pytest.mark.rule("settle.observe-verb", "settle.settling-citation", "settle.restated-landing")
def test_the_verb_prints_the_label(cli: Callable[..., Any]) -> None:
    cli("memory", "predict", "--into", "bets", "--registration", registration())
    arguments = ("memory", "observe", "--into", "results", "--observation")
    assert cli(*arguments, observation()).json == LABEL
    assert cli(*arguments, observation()).json == LABEL  # the same again lands nothing and says the same
    answer = cli(*arguments, observation(verdict=False))
    assert (answer.code, answer.out) == (1, "")
    assert answer.err.startswith(f"{SETTLED}: ")
    assert cli("shell", "select count(*) as stored from landing.main.results").json == {"stored": 1}


@pytest.mark.rule("settle.observe-verb")
@pytest.mark.parametrize(
    ("given", "observed", "reason"),
    [
        ({}, {"signal": "self-rated"}, "self-rated"),
        ({"horizon_secs": ABSENT, "watch": True}, {}, "open watch"),
        ({}, {"observed_at": "2019-12-31T23:59:59.999999Z"}, "before the prediction"),
        ({"horizon_secs": 0}, {"observed_at": "2020-01-02T00:00:00.000001Z"}, "86400 s after the deadline"),
    ],
)
def test_an_observation_that_labels_nothing_says_why(
    books: Books, given: dict[str, Any], observed: dict[str, Any], reason: str
) -> None:
    books.predict(**given)
    answer = books.observe(**observed)
    assert (answer["label"], set(answer)) == (None, {"label", "reason"})
    assert reason in answer["reason"]
    assert len(books.observed()) == 1


@pytest.mark.rule("settle.observe-verb")
def test_the_window_of_labels_includes_both_its_ends(books: Books) -> None:
    for number, (at, lead) in enumerate([("2020-01-01T00:00:00Z", 0.0), ("2020-01-02T00:00:00Z", 86400.0)]):
        books.predict(prediction_id=f"{books.id}{number}", horizon_secs=0)
        assert books.observe(prediction_id=f"{books.id}{number}", observed_at=at)["lead_time_s"] == lead


@pytest.mark.rule("settle.observe-verb")
def test_what_is_stored(books: Books) -> None:
    books.predict(**METRIC)
    books.observe(**MEASURED | {"signal": "feed", "settling_citation": "any text"})
    ((*stored, run),) = books.observed(
        """epoch_us(observed_at), verdict, resolution_source, signal, settling_citation, metric, "value", _row_seq,
        _authored_by, _taint, _site_id, _batch_seq, _run_id"""
    )
    assert stored[:5] == [instants.stored("", OBSERVATION["observed_at"]), True, "metric", "feed", "any text"]
    assert stored[5:] == ["prices:wheat", 4.0, 0, "operator", None, None, None]
    assert run.startswith("w-")


MALFORMED = {
    "no JSON": "{",
    "nothing": "",
    "no object": "[]",
    "a comma too many": observation()[:-1] + ",}",
    "a doubled key": observation()[:-1] + ', "verdict": true}',
    "an unknown key": observation(colour="red"),
    "an empty key": observation(**{"": 1}),
    **{f"no {name}": observation(**{name: ABSENT}) for name in ("prediction_id", "observed_at")},
    **{f"null for {name}": observation(**{name: None}) for name in ("prediction_id", "observed_at")},
    **{
        f"{kind} {name}": observation(**{name: value})
        for name in ("prediction_id", "resolution_source", "signal", "settling_citation", "metric")
        for kind, value in {"a number for": 5, "a blank": "\u2003 ", "an empty": "", "NUL in": "a\0b"}.items()
    },
    "a verdict as a string": observation(verdict="true"),
    "a verdict as a number": observation(verdict=1),
    "a value as a string": observation(value="4"),
    "a value of true": observation(value=True),
    "a value of NaN": observation(value=float("nan")),
    "a value of infinity": observation(value=float("-inf")),
    "a value beyond every double": observation(value=5).replace("5}", "1e999}"),
    "an annulment with a verdict": observation(verdict=False, signal="annulled"),
    "a lone surrogate": observation(signal="x").replace('"x"', '"\\ud800"'),
    "a byte that is no UTF-8": observation(signal="x").replace('"x"', '"\udcff"'),
}


@pytest.mark.parametrize("given", MALFORMED.values(), ids=MALFORMED)
def test_malformed_observations_refuse(books: Books, given: str) -> None:
    books.id = "p"
    with pytest.raises(ContextfulError) as refused:
        settle.observe_with(books.outcomes, given)
    assert refused.value.identifier == "ArgumentMalformed"
    assert books.observed() == []


@pytest.mark.parametrize(
    "text", ["2020-01-01", "2020-01-01T00:00:00", "2020-01-01T00:00:60Z", "2020-01-01T00:00:00.1234567Z", "", 5]
)
def test_other_instants_refuse(books: Books, text: object) -> None:
    assert books.refused_observation(observed_at=text) == "InstantMalformed"


def test_the_ends_of_time(books: Books) -> None:
    books.predict(predicted_at="0001-01-01T00:00:00Z", horizon_secs=ABSENT, deadline_at="9999-12-31T23:59:59.999999Z")
    assert books.observe(observed_at="0001-01-01T00:00:00Z", **UNRULED)["lead_time_s"] == 0.0
    late = books.observe(observed_at="9999-12-31T23:59:59.999999Z")
    assert late["lead_time_s"] == 315_537_897_599.999999


@pytest.mark.rule("settle.prediction-unregistered")
def test_what_was_not_registered_is_not_observed(books: Books) -> None:
    assert books.refused_observation() == UNREGISTERED
    assert books.refused_observation(verdict=ABSENT, signal="annulled") == UNREGISTERED
    books.predict()
    assert books.refused_observation(prediction_id=books.id + " ") == UNREGISTERED
    report = books.observe_all(books.observation(prediction_id="nobody's"), books.observation())
    assert counts(report) == (1, 0, [(1, UNREGISTERED)])
    assert "contextful memory predict --into bets" in report.refused[0].message


@pytest.mark.rule("settle.source-mismatch")
class TestSource:
    """A verdict comes from the source that was registered, and speaks of its series."""

    @pytest.mark.parametrize("source", [ABSENT, None, "adjudicator", "metric", "oracle"])
    def test_a_verdict_of_another_source(self, books: Books, source: object) -> None:
        books.predict()
        assert books.refused_observation(resolution_source=source) == MISMATCH

    @pytest.mark.parametrize("series", [ABSENT, None, "prices:rye", "prices:Wheat"])
    def test_a_verdict_on_another_series(self, books: Books, series: object) -> None:
        books.predict(**METRIC)
        assert books.refused_observation(**MEASURED | {"metric": series}) == MISMATCH
        assert books.observe(**MEASURED)["verdict"]

    @pytest.mark.parametrize("given", [{}, METRIC | {"metric": ABSENT}])
    def test_a_series_that_was_not_registered(self, books: Books, given: dict[str, Any]) -> None:
        books.predict(**given)
        source = given.get("resolution_source", "manual")
        assert books.refused_observation(resolution_source=source, metric="prices:wheat") == MISMATCH
        assert books.refused_observation(**UNRULED, metric="prices:wheat") == MISMATCH
        assert books.observe(resolution_source=source)["verdict"]

    def test_without_a_verdict_only_a_series_that_is_given_counts(self, books: Books) -> None:
        books.predict(**METRIC)
        assert books.refused_observation(**UNRULED, metric="prices:rye") == MISMATCH
        for given in (UNRULED, UNRULED | {"metric": "prices:wheat"}, UNRULED | {"resolution_source": "manual"}):
            assert books.observe(**given)["verdict"] is None

    def test_the_message_names_both(self, books: Books) -> None:
        books.predict(**METRIC)
        report = books.observe_all(books.observation(metric="prices:rye"), books.observation(resolution_source=None))
        assert counts(report) == (0, 0, [(1, MISMATCH), (2, MISMATCH)])
        assert "`metric of prices:wheat`" in report.refused[0].message
        assert "`manual of prices:rye`" in report.refused[0].message
        assert "`no source`" in report.refused[1].message


CITATIONS = [
    *("http://example.org", "https://example.org/a?b#c", "HTTPS://Example.org:8443/", "http://[::1]:80/x", "http://h"),
    *("https://例え.jp/ż", "http://user:word@example.org/"),
]
NO_CITATIONS = [
    *(ABSENT, None, "ftp://example.org", "example.org", "http:/example.org", "http://", "https:///path", "http://?q"),
    *("http://:80/", "http:// example.org", "see http://example.org", "http://example.org/a b", "javascript:alert(1)"),
    *("http://exa\u2003mple.org", "http://example.org/\n", "mailto:a@b", "http://#f", "http://user@/"),
]


@pytest.mark.rule("settle.settling-citation")
@pytest.mark.parametrize("source", ["manual", "adjudicator"])
def test_somebody_s_verdict_rests_on_an_address(books: Books, source: str) -> None:
    books.predict(resolution_source=source)
    for citation in NO_CITATIONS:
        given = {"resolution_source": source, "settling_citation": citation}
        assert books.refused_observation(**given) == UNCITED, citation
        assert books.refused_observation(verdict=False, **given) == UNCITED, citation
    for number, citation in enumerate(CITATIONS):
        one = {"prediction_id": f"{books.id}{number}", "resolution_source": source}
        books.predict(**one)
        assert books.observe(settling_citation=citation, **one)["settling_citation"] == citation


@pytest.mark.rule("settle.settling-citation")
def test_no_other_observation_needs_an_address(books: Books) -> None:
    books.predict(**METRIC)
    assert books.observe(**MEASURED)["verdict"]
    books.id += " manual"
    books.predict()
    assert books.observe(**UNRULED)["verdict"] is None
    assert books.observe(**UNRULED | {"settling_citation": "the minutes"})["settling_citation"] == "the minutes"


@pytest.mark.rule("settle.restated-landing")
def test_the_same_again_lands_nothing_however_it_is_written(books: Books) -> None:
    books.predict(**METRIC)
    for first, again in (
        (UNRULED | {"value": 4}, UNRULED | {"value": 4.0, "signal": None}),
        (MEASURED, MEASURED | {"observed_at": "2020-01-01 01:30:00.000+01:00", "value": 40e-1}),
    ):
        assert books.observe(**first) == books.observe(**again)
    assert len(books.observed()) == 2


@pytest.mark.rule("settle.outcome-settled")
@pytest.mark.parametrize("verdict", [True, False])
@pytest.mark.parametrize(
    "given",
    [
        {"observed_at": "2020-01-01T00:30:00.000001Z"},
        {"signal": "late"},
        {"settling_citation": "https://example.org/another"},
        {"value": 1},
        {"verdict": "the other"},
        UNRULED,
        UNRULED | {"signal": "annulled"},
    ],
)
def test_a_verdict_is_final(books: Books, verdict: bool, given: dict[str, Any]) -> None:
    books.predict()
    books.observe(verdict=verdict)
    other = given | ({"verdict": not verdict} if given.get("verdict") == "the other" else {})
    assert books.refused_observation(**{"verdict": verdict} | other) == SETTLED


@pytest.mark.rule("settle.outcome-settled")
def test_an_outcome_without_a_verdict_is_replaced(books: Books) -> None:
    books.predict()
    annulled = books.observe(**UNRULED, signal="annulled")
    assert (annulled["verdict"], annulled["signal"]) == (None, "annulled")
    assert books.observe(**UNRULED)["signal"] is None
    assert books.observe(**UNRULED, signal="annulled")["signal"] == "annulled"  # again, and not the stored one
    assert books.observe(verdict=False)["verdict"] is False
    assert books.refused_observation(**UNRULED, signal="annulled") == SETTLED
    assert books.observed("verdict, signal") == [(None, "annulled"), (None, None), (None, "annulled"), (False, None)]


def test_the_order_of_checks(books: Books) -> None:
    ill, uncited = {"observed_at": "soon"}, {"settling_citation": ABSENT}
    assert books.refused_observation(**ill) == "InstantMalformed"
    assert books.refused_observation(**ill, value="4") == "ArgumentMalformed"
    books.predict()
    assert books.refused_observation(resolution_source="adjudicator", **uncited) == MISMATCH
    books.observe()
    assert books.refused_observation(**ill) == "InstantMalformed"
    assert books.refused_observation(resolution_source="adjudicator") == MISMATCH
    assert books.refused_observation(**uncited) == UNCITED
    assert books.refused_observation(verdict=False) == SETTLED


@pytest.mark.rule("settle.outcome-settled", "settle.restated-landing", "settle.prediction-unregistered")
def test_lines_of_a_batch_meet_those_before_them(books: Books) -> None:
    books.predict()
    pending = books.observation(**UNRULED)
    report = books.observe_all(
        pending,
        pending,
        books.observation(**UNRULED, signal="annulled"),
        books.observation(resolution_source="adjudicator"),  # refused, so it stands for nothing
        books.observation(**UNRULED, signal="annulled"),
        pending,
        books.observation(verdict=False),
        pending,
        books.observation(verdict=True),
        "",
        books.observation(verdict=False),
        books.observation(prediction_id="nobody's"),
    )
    assert counts(report) == (4, 3, [(4, MISMATCH), (8, SETTLED), (9, SETTLED), (12, UNREGISTERED)])
    stored = books.observed("verdict, signal, _row_seq")
    assert stored == [(None, None, 0), (None, "annulled", 2), (None, None, 5), (False, None, 6)]
    assert counts(books.observe_all(pending, books.observation(verdict=False))) == (0, 1, [(1, SETTLED)])
    assert counts(books.observe_all()) == (0, 0, [])


def test_any_text_survives(books: Books) -> None:
    books.id += " Łukasz 李明 🙂"
    books.predict(subject="👩‍🚀")
    given = {"signal": "İß\u0300\n", "settling_citation": "https://例え.jp/🙂"}
    label = books.observe(**given)
    assert (label["subject"], label["signal"], label["settling_citation"]) == ("👩‍🚀", *given.values())
    assert books.observed("prediction_id, signal, settling_citation") == [(books.id, *given.values())]


def test_files_and_streams(books: Books, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(spool, "CHUNK_BYTES", 700)
    ids = [f"{books.id} {number}" for number in range(9)]
    books.predict_all(*(books.registration(prediction_id=one) for one in ids))
    lines = [books.observation(prediction_id=one) for one in ids]
    lines[4:4] = ["oops", "", lines[0]]
    file = tmp_path / "lines.jsonl"
    file.write_text("\ufeff" + "\r\n".join(lines) + "\r\n")
    seen: list[int] = []
    report = settle.observe_file(books.caller, "results", str(file), lambda done, total: seen.append(done))
    assert counts(report) == (9, 1, [(5, "ArgumentMalformed")])
    assert len(seen) > 2


def test_the_report_is_printed_and_a_refusal_exits_1(cli: Callable[..., Any], tmp_path: Path) -> None:
    file = tmp_path / "lines.jsonl"
    file.write_text(observation() + "\n")
    answer = cli("memory", "observe", "--into", "results", "--from", str(file))
    assert answer.code == 1
    assert (answer.json["landed"], answer.json["restated"], answer.json["retired"]) == (0, 0, 0)
    assert [(one["line"], one["identifier"]) for one in answer.json["refused"]] == [(1, UNREGISTERED)]


# The last series has no value yet, and one of the values is no number.
MODEL = """
with registrations as (
    select * from {{ session_relation('all_predictions') }} where _table = 'bets'
),

measured as (
    select *
    from (
        values ('prices:wheat', 4.0::double), ('prices:rye', 3.0), ('prices:oats', 'nan'), ('prices:corn', null)
    ) as t (metric, price)
),

final as (
    select
        registrations.prediction_id,
        registrations.deadline_at as observed_at,
        'metric' as resolution_source,
        registrations.metric,
        case when not isnan(measured.price) then measured.price end as "value",
        {{ metric_verdict('registrations.comparator', 'measured.price') }} as verdict
    from registrations
    inner join measured on registrations.metric = measured.metric
)

select * from final
"""


@pytest.mark.rule("settle.observe-verb")
def test_a_model_settles_metric_predictions(
    cli: Callable[..., Any], home: Home, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    project = lay_project(tmp_path / "project")
    (project / "models/samples").mkdir()
    (project / "models/samples/some_observations.sql").write_text(MODEL)
    monkeypatch.setenv("DBT_PROJECT_DIR", str(project))
    warehouse.build(Home(project=project, root=home.root), warehouse.FUNCTIONS)
    file = tmp_path / "registrations.jsonl"
    series = ("wheat", "rye", "oats", "corn", "millet")
    lines = [registration(prediction_id=one, **METRIC | {"metric": f"prices:{one}"}) for one in series]
    file.write_text("\n".join(lines))
    cli("memory", "predict", "--into", "bets", "--from", str(file))
    arguments = ("memory", "observe", "--into", "results", "--from-model", "some_observations")
    first = cli(*arguments)
    assert first.code == 0, first.err
    assert first.json == {"landed": 4, "restated": 0, "retired": 0, "refused": []}
    # The second time registrations and observations stand in the published copy.
    assert cli(*arguments).json == {"landed": 0, "restated": 4, "retired": 0, "refused": []}
    found = cli("shell", "select prediction_id, verdict, value from landing.main.results order by prediction_id")
    assert [tuple(json.loads(line).values()) for line in found.out.splitlines()] == [
        ("corn", None, None),
        ("oats", None, None),
        ("rye", False, 3.0),
        ("wheat", True, 4.0),
    ]


@pytest.mark.parametrize(
    ("into", "identifier", "named"),
    [
        ("people", "TableShapeRefused", "contextful land --table people"),
        ("facts", "TableShapeRefused", "contextful memory write --into facts"),
        ("bets", "TableShapeRefused", "contextful memory predict --into bets"),
        ("facts_letters", "GrantWriteNotCovered", "contextful declare list"),
        ("nothing", "GrantWriteNotCovered", "contextful declare list"),
        ("loose_results", "DeclarationMalformed", "declare `predictions: TABLE`"),
    ],
)
def test_other_tables_refuse_before_the_form(cli: Callable[..., Any], into: str, identifier: str, named: str) -> None:
    answer = cli("memory", "observe", "--into", into, "--observation", "{")
    assert (answer.code, answer.out) == (1, "")
    assert answer.err.startswith(f"{identifier}: ")
    assert named in answer.err


@pytest.mark.parametrize(
    "arguments",
    [(), ("--from", "x.jsonl", "--from-model", "m"), ("--from", "nowhere.jsonl")],
)
def test_arguments_that_do_not_go_together_refuse(cli: Callable[..., Any], arguments: tuple[str, ...]) -> None:
    answer = cli("memory", "observe", "--into", "results", *arguments)
    assert (answer.code, answer.out, answer.err.split(":")[0]) == (1, "", "ArgumentMalformed")


@pytest.mark.rule("declare.availability")
def test_a_member_may_serve_as_the_available_time(home: Home, tables: list[Table]) -> None:
    books = Books(home, tables, "dated_bets", "dated_results")
    try:
        books.predict()
        assert books.observe()["verdict"]
        assert books.observed("available_at = observed_at") == [(True,)]
    finally:
        books.close()


@pytest.mark.rule("settle.outcome-settled", "settle.restated-landing")
def test_of_two_writers_at_once_one_lands(caller: Caller) -> None:
    with Writer(caller, settle.predictions_table(caller, "bets")) as writer:
        writer.stage([registration(prediction_id=f"p{number}") for number in range(8)])
        writer.write()
    barrier, found = Barrier(2), {}

    def write(verdict: bool) -> None:
        with Writer(caller, settle.outcomes_table(caller, "results")) as writer:
            barrier.wait()
            for number in range(8):
                # Every other prediction is told the same by both.
                writer.stage([observation(prediction_id=f"p{number}", verdict=verdict or number % 2 == 0)])
                found[verdict, number] = counts(writer.write())

    threads = [Thread(target=write, args=[verdict]) for verdict in (True, False)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for number in range(8):
        both = sorted([found[True, number], found[False, number]])
        other = (0, 0, [(1, SETTLED)]) if number % 2 else (0, 1, [])
        assert both == [other, (1, 0, [])]


def test_a_hundred_thousand_lines_in_one_commit(books: Books, tmp_path: Path) -> None:
    file = tmp_path / "lines.jsonl"
    file.write_text("\n".join(books.registration(prediction_id=f"{books.id} {one}") for one in range(60_000)))
    settle.predict_file(books.caller, "bets", str(file), lambda done, total: None)
    file.write_text("\n".join(books.observation(prediction_id=f"{books.id} {one % 60_000}") for one in range(100_000)))
    for expected in ((60_000, 40_000, []), (0, 100_000, [])):
        report = settle.observe_file(books.caller, "results", str(file), lambda done, total: None)
        assert counts(report) == expected
