"""Damaged and odd state folders: a refusal that says what to do, never a traceback, never a file lost."""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from contextful_cli import lake, published, warehouse
from contextful_cli.settings import Home

Cli = Callable[..., Any]
CLAIM = {"subject": "orion", "predicate": "lead", "object": "Mira", "confidence": 1, "evidence": []}
READS = (("status",), ("memory", "recall", "--table", "facts", "--subject", "orion"))
WRITES = (("memory", "write", "--into", "facts", "--claim", json.dumps(CLAIM)), ("init",), ("upgrade",), ("build",))


@pytest.fixture
def landed(home: Home, cli: Cli, tmp_path: Path) -> Home:
    file = tmp_path / "people.csv"
    file.write_text("id,name\n1,Ann\n2,Bob\n")
    assert cli("land", "--table", "people", "--from", str(file)).code == 0
    lake.compact(home)
    return home


def refused(said: Any, identifier: str) -> bool:
    return (said.code, said.out) == (1, "") and said.err.startswith(f"{identifier}: ")


def files(home: Home) -> set[Path]:
    return set(home.data.rglob("*.parquet"))


@pytest.mark.parametrize("verb", [*READS, *WRITES], ids=" ".join)
def test_a_lost_catalog_refuses_and_no_data_file_goes(landed: Home, cli: Cli, verb: tuple[str, ...]) -> None:
    kept = files(landed)
    for file in landed.lake.glob("catalog.sqlite*"):
        file.unlink()
    assert refused(cli(*verb), "LakeMissing")
    assert (files(landed), landed.catalog.exists()) == (kept, False)


@pytest.mark.parametrize("verb", [*READS, *WRITES, ("doctor",)], ids=" ".join)
@pytest.mark.parametrize("left", [b"", b"SQLite fo"])
def test_an_emptied_catalog_refuses_and_stays_as_it_is(
    landed: Home, cli: Cli, verb: tuple[str, ...], left: bytes
) -> None:
    kept = files(landed)
    for file in landed.lake.glob("catalog.sqlite-*"):
        file.unlink()
    landed.catalog.write_bytes(left)
    said = cli(*verb)
    assert said.code == 1
    assert f"{landed.catalog} is damaged: restore it from a backup" in said.out + said.err
    assert (files(landed), landed.catalog.read_bytes()) == (kept, left)


def test_a_lost_pepper_is_not_replaced_in_silence(landed: Home, cli: Cli) -> None:
    write = WRITES[0]
    assert cli(*write).code == 0
    kept = landed.pepper.read_bytes()
    landed.pepper.unlink()
    assert refused(cli(*write), "StorageFailed")
    assert refused(cli("init"), "StorageFailed")
    assert (landed.pepper.exists(), cli("doctor").code) == (False, 1)
    assert cli("init", "--new-pepper").code == 0
    assert landed.pepper.read_bytes() != kept
    assert cli(*write).code == 0


def test_data_files_without_catalog_and_clock_are_no_place_for_a_new_lake(landed: Home, cli: Cli) -> None:
    kept = files(landed)
    for file in (*landed.lake.glob("catalog.sqlite*"), landed.clock):
        file.unlink()
    assert refused(cli("init"), "LakeMissing")
    assert files(landed) == kept


def test_compacting_an_older_catalog_keeps_the_files_that_it_does_not_know(
    landed: Home, cli: Cli, tmp_path: Path
) -> None:
    backup = tmp_path / "catalog"
    shutil.copy(landed.catalog, backup)
    later = tmp_path / "later.csv"
    later.write_text("id\n3\n")
    cli("land", "--table", "people", "--from", str(later))
    lake.compact(landed)
    kept = files(landed)
    for file in landed.lake.glob("catalog.sqlite*"):
        file.unlink()
    shutil.copy(backup, landed.catalog)
    lake.compact(landed)
    assert kept <= files(landed)


def test_a_catalog_that_cannot_be_read_is_told(landed: Home, cli: Cli) -> None:
    landed.catalog.write_bytes(b"SQLite format 3\0" + os.urandom(4096))
    for verb in (READS[0], WRITES[0], WRITES[2]):
        assert refused(cli(*verb), "StorageFailed")
    assert cli("doctor").code == 1


@pytest.mark.parametrize(
    "text", [b"\xff\x00{", b'{"stamp": "x"}', b'{"format": "1"}', b"[]", b"", b'{"tables": {"people": 1.5}}']
)
def test_a_damaged_clock_refuses_and_upgrade_mends_it(landed: Home, cli: Cli, text: bytes) -> None:
    landed.clock.write_bytes(text)
    for verb in READS:
        assert refused(cli(*verb), "LakeVersion")
    assert cli("doctor").code == 1
    assert cli("upgrade").code == 0
    assert cli("status").code == 0


@pytest.mark.parametrize("damage", ["gone", "noise", "empty"])
def test_a_lost_or_damaged_copy_leaves_reads_and_writes_to_the_lake(landed: Home, cli: Cli, damage: str) -> None:
    copy = landed.published / f"1-x{published.suffix()}"
    copy.write_bytes({"gone": b"", "noise": os.urandom(9000), "empty": b""}[damage])
    landed.current.symlink_to(copy.name)
    if damage == "gone":
        copy.unlink()
    for verb in (*READS, WRITES[0]):
        assert cli(*verb).code == 0
    assert "contextful build" in cli("doctor").out


@pytest.mark.parametrize("text", ["{x", "[1]", "[]", "null"])
def test_damaged_functions_say_init_and_init_compiles_them_anew(landed: Home, cli: Cli, text: str) -> None:
    landed.functions.write_text(text)
    said = cli(*READS[1])
    assert refused(said, "LakeMissing")
    assert "contextful init" in said.err
    assert warehouse.is_compilation_due(landed)


@pytest.mark.parametrize(
    "arguments",
    [
        ("memory", "expire", "--table", "facts", "--claim-id", "\udcff", "--at", "2026-01-01T00:00:00Z"),
        ("memory", "retract", "--table", "facts", "--claim-id", "c-1", "--reason", "\udcff"),
        ("land", "--table", "people", "--from", "x.csv", "--run-id", "\udcff"),
        ("shell", "\udcff"),
    ],
)
def test_arguments_that_are_no_text_refuse(home: Home, cli: Cli, arguments: tuple[str, ...]) -> None:
    assert refused(cli(*arguments), "ArgumentMalformed")


def test_a_folder_that_is_no_project_refuses_and_stays_as_it_is(tmp_path: Path) -> None:
    environment = {
        name: value for name, value in os.environ.items() if name not in ("DBT_PROJECT_DIR", "CONTEXTFUL_HOME")
    }
    command = [sys.executable, "-m", "contextful_cli.app", "init"]
    said = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False)
    assert (said.returncode, said.stdout, said.stderr.split(":")[0]) == (1, "", "ArgumentMalformed")
    assert list(tmp_path.iterdir()) == []


def test_an_answer_that_cannot_be_written_is_a_failure(home: Home) -> None:
    with Path("/dev/full").open("w") as full:
        command = [sys.executable, "-m", "contextful_cli.app", "status"]
        said = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, text=True, check=False)
    assert (said.returncode, said.stderr.split(":")[0], "Traceback" in said.stderr) == (1, "StorageFailed", False)


def test_a_state_folder_with_quotes_and_blanks_in_its_path(
    home: Home, cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    odd = tmp_path / """st "q' x"""
    shutil.move(home.root, odd)
    monkeypatch.setenv("CONTEXTFUL_HOME", str(odd))
    assert cli("build").code == 0
    assert cli("status").json["published"]["file"].startswith(str(odd))


def test_a_selector_that_matches_nothing_is_no_success(home: Home, cli: Cli) -> None:
    assert refused(cli("build", "no_such_model"), "ArgumentMalformed")
