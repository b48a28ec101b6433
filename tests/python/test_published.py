"""The published copy: made by a build, read beside the lake, never torn, swept when nobody reads it."""

import os
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import duckdb
import pytest

from contextful_cli import clock as clocks
from contextful_cli import declaration, lake, layout, locks, published, session, warehouse
from contextful_cli.caller import local_operator
from contextful_cli.errors import ContextfulError
from contextful_cli.settings import Home

BUILD = "from contextful_cli import warehouse; from contextful_cli.settings import Home; warehouse.build(Home.locate())"


def land(home: Home, run: str, rows: int = 3) -> None:
    con = lake.open_lake(home, read_only=False)
    with lake.commit(con, home, "test") as work:
        work.touch("people")
        con.execute(
            "insert into landing.main.people by name select i::varchar as id, ? as name, ? as _run_id, i as _row_seq, "
            "make_timestamp_ns(?) as _ingested_at from range(?) t(i)",
            [run, run, work.stamp * 1000, rows],
        )
    con.close()


def names(home: Home) -> list[tuple[str, int]]:
    con = session.open_session(local_operator(home, declaration.load(home.project)), views=["people"])
    return con.execute("select name, count(*) from session.people group by all order by all").fetchall()


def start_holder(file: Path, *, read_only: bool) -> subprocess.Popen[str]:
    """A process that has a DuckDB file open until its stdin closes."""
    code = f"import duckdb, sys; con = duckdb.connect({str(file)!r}, read_only={read_only}); print('open', flush=True)"
    command = [sys.executable, "-c", f"{code}; sys.stdin.read()"]
    holder = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    assert holder.stdout.readline() == "open\n"
    return holder


@pytest.fixture(scope="module")
def built(compiled: Home, tmp_path_factory: pytest.TempPathFactory) -> Home:
    """A home with three landed rows and the copy that a build published of them. Copy it before changing it."""
    built = Home(project=compiled.project, root=tmp_path_factory.mktemp("built") / "home")
    shutil.copytree(compiled.root, built.root, ignore=shutil.ignore_patterns("published", "warehouse.duckdb*"))
    built.published.mkdir()
    land(built, "first")
    warehouse.build(built)
    return built


@pytest.fixture
def copied(built: Home, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Home:
    fresh = Home(project=built.project, root=tmp_path / "home")
    shutil.copytree(built.root, fresh.root, symlinks=True)
    monkeypatch.setenv("CONTEXTFUL_HOME", str(fresh.root))
    monkeypatch.setenv("DBT_PROJECT_DIR", str(fresh.project))
    return fresh


def test_the_copy_holds_the_landed_rows_up_to_the_builds_stamp(built: Home) -> None:
    con = duckdb.connect(str(built.current), read_only=True)
    assert con.execute("select count(*), min(_run_id), max(_run_id) from landing.people").fetchone() == (
        3,
        "first",
        "first",
    )
    assert con.execute("select stamp from contextful.build").fetchone() == (clocks.read(built).stamp * 1000,)


def test_the_copy_is_indexed_by_what_point_reads_look_up(built: Home) -> None:
    con = duckdb.connect(str(built.current), read_only=True)
    indexed = set(con.execute("select table_name, expressions from duckdb_indexes()").fetchall())
    assert {("facts", "[subject]"), ("source_versions", "[ref_hash]"), ("ties", "[source_id]")} <= indexed


def test_readers_see_copy_and_later_rows_as_one(copied: Home) -> None:
    land(copied, "later", 2)
    assert names(copied) == [("first", 3), ("later", 2)]


def test_a_quiet_table_is_read_from_the_copy_alone(copied: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("contextful_cli.duck.attach_lake", lambda *_, **__: pytest.fail("the lake was opened"))
    assert names(copied) == [("first", 3)]


def test_a_copy_of_another_duckdb_is_not_used(copied: Home) -> None:
    file = copied.current.resolve()
    other = file.with_name(file.name.replace(published.suffix(), ".duckdb-0.0.1.duckdb"))
    copied.current.unlink()
    file.rename(other)
    copied.current.symlink_to(other.name)
    assert published.current(copied) is None
    assert names(copied) == [("first", 3)]


def test_a_table_whose_columns_changed_since_is_read_from_the_lake(copied: Home, tmp_path: Path) -> None:
    grown = tmp_path / "grown"
    shutil.copytree(copied.project, grown)
    file = grown / "models/landing/shapes.yml"
    text = file.read_text()
    file.write_text(
        text.replace(
            '{name: born, data_type: "date"}',
            '{name: born, data_type: "date"}\n          - {name: job, data_type: varchar}',
        )
    )
    home = Home(project=grown, root=copied.root)
    layout.lay_tables(home, declaration.load(grown))
    con = session.open_session(local_operator(home, declaration.load(grown)), views=["people"])
    assert con.execute("select distinct name, job from session.people").fetchall() == [("first", None)]


def test_a_table_whose_key_changed_since_is_read_from_the_lake(copied: Home, tmp_path: Path) -> None:
    changed = tmp_path / "changed"
    shutil.copytree(copied.project, changed)
    file = changed / "models/landing/shapes.yml"
    file.write_text(file.read_text().replace('{"key": ["id"]}', '{"key": ["name"]}'))
    home = Home(project=changed, root=copied.root)
    con = session.open_session(local_operator(home, declaration.load(changed)))
    keys = con.execute("select distinct row_key from session.source_versions where _table = 'people'").fetchall()
    assert keys == [("5:first",)]


def test_a_copy_in_use_stays_and_goes_when_its_reader_has_gone(copied: Home) -> None:
    old = copied.current.resolve()
    reader = start_holder(old, read_only=True)
    new = old.with_name("9" + old.name)
    shutil.copy(old, new)
    published.make_current(copied, new)
    assert (old.exists(), copied.current.resolve()) == (True, new.resolve())
    reader.communicate("")
    assert published.sweep(copied) == [old]
    assert new.exists()


def test_a_killed_build_leaves_the_old_copy_current_and_the_next_sweeps_its_rest(copied: Home) -> None:
    old = copied.current.resolve()
    half = copied.published / f"1-half{published.suffix()}"
    half.write_bytes(b"half written")
    land(copied, "meanwhile", 1)
    before = set(copied.published.iterdir())
    build = subprocess.Popen([sys.executable, "-c", BUILD], start_new_session=True)
    while set(copied.published.iterdir()) <= before:  # until it has begun to write the new copy
        assert build.poll() is None
    os.killpg(build.pid, signal.SIGKILL)
    build.wait()
    assert copied.current.resolve() == old
    assert names(copied) == [("first", 3), ("meanwhile", 1)]
    land(copied, "later", 1)
    warehouse.build(copied)
    assert (half.exists(), old.exists()) == (False, False)
    assert [file for file in copied.published.iterdir() if not file.is_symlink()] == [copied.current.resolve()]
    assert names(copied) == [("first", 3), ("later", 1), ("meanwhile", 1)]


def test_a_second_build_refuses_and_names_the_first(copied: Home) -> None:
    code = (
        "from contextful_cli import warehouse; from contextful_cli.settings import Home\n"
        "try: warehouse.build(Home.locate())\nexcept Exception as error: print(error)"
    )
    with locks.hold(copied.root / "build.lock", "build", busy="BuildBusy"):
        said = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert said.startswith(f"BuildBusy: process {os.getpid()} (build, since ")


def test_a_warehouse_open_elsewhere_refuses_as_busy(copied: Home) -> None:
    holder = start_holder(copied.warehouse, read_only=False)
    with pytest.raises(ContextfulError, match="BuildBusy: another build has the warehouse open"):
        warehouse.build(copied)
    holder.communicate("")


def test_a_selected_build_in_a_fresh_warehouse_keeps_the_functions(copied: Home) -> None:
    copied.warehouse.unlink()
    before = copied.functions.read_bytes()
    warehouse.build(copied, ["--select", "claim_windows"])
    assert copied.functions.read_bytes() == before


def test_a_failed_model_publishes_nothing(copied: Home, tmp_path: Path) -> None:
    broken = tmp_path / "broken"
    shutil.copytree(copied.project, broken)
    (broken / "models/memory").mkdir(exist_ok=True)
    (broken / "models/memory/broken.sql").write_text("select no_such_column from session.people")
    before = copied.current.readlink()
    with pytest.raises(
        ContextfulError, match=r"BuildFailed: 1 of \d+ nodes failed: model\.contextful\.broken.*no_such_column"
    ):
        warehouse.build(Home(project=broken, root=copied.root))
    assert copied.current.readlink() == before


def contents(home: Home) -> dict[str, object]:
    """Every table of the current copy with its rows, and the indexes."""
    con = duckdb.connect(str(home.current), read_only=True)
    tables = con.execute("select schema_name, table_name from duckdb_tables() order by all").fetchall()
    rows = {
        f"{schema}.{name}": con.execute(f'from "{schema}"."{name}" order by all').fetchall() for schema, name in tables
    }
    return rows | {
        "indexes": con.execute("select table_name, expressions from duckdb_indexes() order by all").fetchall()
    }


def built_anew(home: Home, folder: Path) -> dict[str, object]:
    """The contents of a copy that begins from nothing, of the same lake."""
    other = Home(project=home.project, root=folder / "anew")
    shutil.copytree(home.root, other.root, ignore=shutil.ignore_patterns("published"))
    other.published.mkdir()
    warehouse.build(other)
    return contents(other)


def test_a_copy_goes_on_from_the_one_before(copied: Home, tmp_path: Path) -> None:
    before = published.current(copied)
    land(copied, "second", 5)
    warehouse.build(copied)
    assert published.current(copied) != before
    assert len(contents(copied)["landing.people"]) == 8
    assert contents(copied) == built_anew(copied, tmp_path)


def tampered(home: Home, *statements: str) -> None:
    con = duckdb.connect(str(home.published / home.current.readlink()))
    for statement in statements:
        con.execute(statement)
    con.close()


@pytest.mark.parametrize(
    "statement",
    [
        # As a copy made under other declarations has it: what differs is made anew.
        "update contextful.declared_tables set key = [] where _table = 'people'; delete from landing.source_versions",
        "alter table landing.people drop column name",
        "create table landing.forgotten as select 1 as id",
        "create schema gone; create table gone.model as select 1 as id",
        "drop table landing.events",
        # As another release made it.
        "alter table contextful.declared_tables drop column predictions",
    ],
)
def test_what_the_copy_before_holds_otherwise_is_made_anew(copied: Home, tmp_path: Path, statement: str) -> None:
    tampered(copied, *statement.split("; "))
    warehouse.build(copied)
    assert contents(copied) == built_anew(copied, tmp_path)
