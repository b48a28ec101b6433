"""status, doctor, upgrade and shell tell the operator what is so."""

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from contextful_cli import clock as clocks
from contextful_cli import lake
from contextful_cli.settings import Home

Cli = Callable[..., Any]


@pytest.fixture
def landed(home: Home, cli: Cli, tmp_path: Path) -> Home:
    file = tmp_path / "people.csv"
    file.write_text("id,name\n1,Ann\n2,Bob\n")
    assert cli("land", "--table", "people", "--from", str(file)).code == 0
    return home


def problems(said: Any) -> dict[str, str]:
    return {finding["check"]: finding["problem"] for finding in said.json["findings"] if finding["problem"]}


def test_status_counts_rows_and_says_how_fresh_they_are(landed: Home, cli: Cli) -> None:
    told = cli("status").json
    (people,) = [row for row in told["tables"] if row["table"] == "people"]
    assert (people["rows"], people["published_rows"], told["published"]) == (2, None, None)
    assert people["last_landed"] == told["lake"]["last_commit"]
    assert told["locks"] == {"lake": None, "build": None}


def test_status_names_the_holder_of_a_lock(landed: Home, cli: Cli) -> None:
    with lake.hold(landed, "a long write"):
        assert cli("status").json["locks"]["lake"].startswith(f"process {os.getpid()} (a long write, since ")


def test_doctor_finds_a_sound_home_healthy(landed: Home, cli: Cli) -> None:
    said = cli("doctor")
    assert (said.code, problems(said)) == (0, {})


def test_doctor_finds_a_damaged_data_file(landed: Home, cli: Cli) -> None:
    lake.compact(landed)
    (file,) = landed.data.rglob("*.parquet")
    file.write_bytes(file.read_bytes()[:50] + b"\0" * 40 + file.read_bytes()[90:])
    said = cli("doctor")
    assert (said.code, list(problems(said))) == (1, ["rows"])
    assert "people" in problems(said)["rows"]


def test_doctor_finds_a_missing_data_file(landed: Home, cli: Cli) -> None:
    lake.compact(landed)
    (file,) = landed.data.rglob("*.parquet")
    file.unlink()
    assert "people" in problems(cli("doctor"))["rows"]


def test_doctor_finds_an_open_secret(landed: Home, cli: Cli) -> None:
    landed.pepper.chmod(0o644)
    assert "chmod 600" in problems(cli("doctor"))["secrets"]


def test_doctor_finds_a_clock_behind_its_lake_and_upgrade_mends_it(landed: Home, cli: Cli) -> None:
    true = clocks.read(landed)
    landed.clock.write_text(clocks.Clock(layout=true.layout).dumps())
    assert "contextful upgrade" in problems(cli("doctor"))["clock"]
    assert cli("upgrade").json["clock_restored"] is True
    restored = clocks.read(landed)
    assert (restored.stamp, restored.tables, restored.instant) == (true.stamp, true.tables, true.instant)
    assert cli("upgrade").json["clock_restored"] is False
    assert cli("doctor").code == 0


@pytest.mark.parametrize("damage", ["", "{", "[]"])
def test_upgrade_restores_a_lost_or_damaged_clock(landed: Home, cli: Cli, damage: str) -> None:
    true = clocks.read(landed)
    landed.clock.write_text(damage)
    assert cli("status").err.startswith("LakeVersion: ")
    assert cli("upgrade").code == 0
    assert clocks.read(landed).tables == true.tables


def test_upgrade_leaves_a_newer_lake_alone(landed: Home, cli: Cli) -> None:
    text = clocks.Clock(format=99).dumps()
    landed.clock.write_text(text)
    assert cli("upgrade").err.startswith("LakeVersion: ")
    assert landed.clock.read_text() == text


def test_shell_answers_a_statement_as_json_lines(landed: Home, cli: Cli) -> None:
    assert cli("shell", "select id, name from landing.main.people order by id").out == (
        '{"id":"1","name":"Ann"}\n{"id":"2","name":"Bob"}\n'
    )


def test_shell_can_write_nothing(landed: Home, cli: Cli) -> None:
    said = cli("shell", "delete from landing.main.people")
    assert (said.code, said.err.split(":")[0]) == (1, "ArgumentMalformed")
    assert lake.open_lake(landed).execute("select count(*) from landing.main.people").fetchone() == (2,)


def test_verbs_outside_a_home_say_how_to_make_one(
    home: Home, cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CONTEXTFUL_HOME", str(tmp_path / "nowhere"))
    for verb in (("status",), ("shell", "select 1"), ("upgrade",)):
        said = cli(*verb)
        assert (said.code, said.out) == (1, "")
        assert said.err.startswith("LakeMissing: ")
        assert "contextful init" in said.err
