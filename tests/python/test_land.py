"""`contextful land`: one run whole or nothing, engine columns the engine's own, other verbs' tables refused."""

import io
import json
import shutil
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from contextful_cli import lake
from contextful_cli.settings import Home

Cli = Callable[..., Any]


def stored(home: Home, sql: str) -> list[tuple[Any, ...]]:
    return lake.open_lake(home).execute(sql).fetchall()


def test_a_csv_lands_in_its_order_under_one_run(home: Home, cli: Cli, tmp_path: Path) -> None:
    file = tmp_path / "people.csv"
    file.write_bytes('\ufeffname,id,born\r\nŁukasz Żółć,1,1990-02-03\r\n"two\nlines, 🙂",2,\r\n'.encode())
    said = cli("land", "--table", "people", "--from", str(file), "--run-id", "monday")
    assert (said.code, said.json) == (0, {"table": "people", "run": "monday", "rows": 2})
    assert stored(
        home, "select id, name, born::varchar, _run_id, _row_seq from landing.main.people order by _row_seq"
    ) == [
        ("1", "Łukasz Żółć", "1990-02-03", "monday", 0),
        ("2", "two\nlines, 🙂", None, "monday", 1),
    ]


def test_engine_columns_replace_what_a_producer_sends_under_their_names(home: Home, cli: Cli, tmp_path: Path) -> None:
    file = tmp_path / "people.jsonl"
    forged = {"id": "1", "name": "x", "_run_id": "forged", "_row_seq": 77, "_taint": "operator", "_authored_by": "root"}
    file.write_text(json.dumps(forged | {"_ingested_at": "1999-01-01T00:00:00Z"}))
    run = cli("land", "--table", "people", "--from", str(file)).json["run"]
    (row,) = stored(
        home, "select _run_id, _row_seq, _taint, _authored_by, year(_ingested_at) > 2025 from landing.main.people"
    )
    assert row == (run, 0, "ingested:third-party", "operator", True)


@pytest.mark.parametrize(
    ("name", "text", "words"),
    [
        ("bad.csv", "id,name,born\n1,a,2020-01-01\n2,b,yesterday\n", ["row 2", "born"]),
        ("bad.jsonl", '{"id": "1"}\n{"id": 2}\n', ["row 2", "id"]),
        ("unknown.csv", "id,height\n1,2\n", ["height"]),
        ("nokey.csv", "name\na\n", ["id"]),
        ("nullkey.jsonl", '{"id": null, "name": "a"}\n', ["row 1", "id"]),
    ],
)
def test_a_bad_file_refuses_with_row_and_column_and_lands_nothing(
    home: Home, cli: Cli, tmp_path: Path, name: str, text: str, words: list[str]
) -> None:
    file = tmp_path / name
    file.write_text(text)
    said = cli("land", "--table", "people", "--from", str(file))
    assert (said.code, said.out) == (1, "")
    assert said.err.startswith("LandingMalformed: ")
    assert all(word in said.err for word in words)
    assert stored(home, "select count(*) from landing.main.people") == [(0,)]


def test_json_lines_on_stdin(home: Home, cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b'{"id": "9", "name": "from a pipe"}\n')))
    assert cli("land", "--table", "people", "--from", "-").json["rows"] == 1
    assert stored(home, "select name from landing.main.people") == [("from a pipe",)]


def test_a_run_id_the_table_holds_refuses(home: Home, cli: Cli, tmp_path: Path) -> None:
    file = tmp_path / "people.csv"
    file.write_text("id\n1\n")
    arguments = ("land", "--table", "people", "--from", str(file), "--run-id", "once")
    cli(*arguments)
    again = cli(*arguments)
    assert (again.code, again.err.split(":")[0]) == (1, "ArgumentMalformed")
    assert stored(home, "select count(*) from landing.main.people") == [(1,)]


def test_an_empty_file_lands_a_run_of_no_rows(home: Home, cli: Cli, tmp_path: Path) -> None:
    file = tmp_path / "none.csv"
    file.write_text("id,name\n")
    assert cli("land", "--table", "people", "--from", str(file)).json["rows"] == 0


def test_taint_may_only_lower_the_declared_trust(home: Home, cli: Cli, tmp_path: Path) -> None:
    file = tmp_path / "visits.csv"
    file.write_text("place,day,guests\nhall,2024-02-29,3\n")
    lowered = cli("land", "--table", "visits", "--from", str(file), "--taint", "ingested:third-party")
    raised = cli("land", "--table", "visits", "--from", str(file), "--taint", "operator")
    assert (lowered.code, raised.code, raised.err.split(":")[0]) == (0, 1, "ArgumentMalformed")
    assert stored(home, "select _taint from landing.main.visits") == [("ingested:third-party",)]


@pytest.mark.parametrize(
    ("table", "identifier", "word"),
    [
        ("facts", "LandingShapeRefused", "memory write"),
        ("bets", "LandingShapeRefused", "memory predict"),
        ("results", "LandingShapeRefused", "memory observe"),
        ("facts_closures", "LandingShapeRefused", "facts"),
        ("facts_letters", "LandingShapeRefused", "facts"),
        ("nowhere", "GrantWriteNotCovered", "nowhere"),
    ],
)
def test_tables_that_other_verbs_fill_refuse(cli: Cli, tmp_path: Path, table: str, identifier: str, word: str) -> None:
    file = tmp_path / "x.jsonl"
    file.write_text('{"claim_id": "x"}\n')
    said = cli("land", "--table", table, "--from", str(file))
    assert (said.code, said.err.split(":")[0]) == (1, identifier)
    assert word in said.err


def test_edges_of_an_undeclared_relation_refuse_the_file(home: Home, cli: Cli, tmp_path: Path) -> None:
    file = tmp_path / "ties.jsonl"
    good = {"edge_id": "e1", "rel_type": "supports", "source_id": "a", "target_id": "b", "evidence": []}
    file.write_text(f"{json.dumps(good)}\n{json.dumps(good | {'edge_id': 'e2', 'rel_type': 'envies'})}\n")
    said = cli("land", "--table", "ties", "--from", str(file))
    assert said.err.startswith("MemoryUndeclaredRelation: ")
    assert stored(home, "select count(*) from landing.main.ties") == [(0,)]


@pytest.mark.parametrize("arguments", [(), ("--from", "a.csv", "--from-model", "m")])
def test_exactly_one_source_is_asked_for(cli: Cli, arguments: tuple[str, ...]) -> None:
    assert cli("land", "--table", "people", *arguments).err.startswith("ArgumentMalformed: give either --from")


def test_a_model_lands_with_its_typed_columns(
    home: Home, cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    project = tmp_path / "project"
    shutil.copytree(home.project, project)
    (project / "models/samples").mkdir()
    (project / "models/samples/happenings.sql").write_text(
        "select 1::bigint as id, 'computed' as note, date '2024-03-01' as at union all select 2, null, null"
    )
    monkeypatch.setenv("DBT_PROJECT_DIR", str(project))
    assert cli("land", "--table", "events", "--from-model", "happenings").json["rows"] == 2
    rows = stored(home, 'select id, note, epoch_ms("at") from landing.main.events order by id')
    assert rows == [(1, "computed", 1_709_251_200_000), (2, None, None)]  # 2024-03-01T00:00:00Z
