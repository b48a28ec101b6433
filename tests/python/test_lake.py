"""The lake: stamps, commits whole or not at all, killed writers, tables that grow."""

import json
import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from contextful_cli import clock as clocks
from contextful_cli import declaration, lake, layout, quiet
from contextful_cli.clock import Clock
from contextful_cli.errors import ContextfulError
from contextful_cli.settings import Home

WRITER = """
import sys
import threading
from contextful_cli import lake
from contextful_cli.settings import Home
home = Home.locate()
con = lake.open_lake(home, read_only=False)
for round in range(10_000):
    with lake.commit(con, home, "test") as work:
        work.touch("events")
        run = f"{sys.argv[1]}-{round}"
        con.execute("insert into landing.main.events by name select i as id, ? as _run_id, i as _row_seq, "
                    "make_timestamp_ns(?) as _ingested_at from range(3) t(i)", [run, work.stamp * 1000])
    print(run, flush=True)
"""


def start_writer(name: str) -> subprocess.Popen[str]:
    return subprocess.Popen([sys.executable, "-c", WRITER, name], stdout=subprocess.PIPE, text=True)


def insert(home: Home, run: str, rows: int = 1) -> int:
    con = lake.open_lake(home, read_only=False)
    with lake.commit(con, home, "test") as work:
        work.touch("events")
        con.execute(
            "insert into landing.main.events by name select i as id, ? as _run_id, i as _row_seq, "
            "make_timestamp_ns(?) as _ingested_at from range(?) t(i)",
            [run, work.stamp * 1000, rows],
        )
    con.close()
    return work.stamp


def runs(home: Home) -> dict[str, int]:
    con = lake.open_lake(home)
    return dict(con.execute("select _run_id, count(*) from landing.main.events group by all").fetchall())


def test_stamps_rise_strictly_though_the_wall_clock_goes_back(home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(time, "time_ns", lambda: 1_000_000_000_000_000_000)
    first = insert(home, "a")
    monkeypatch.setattr(time, "time_ns", lambda: 999_999_999_000_000_000)
    assert insert(home, "b") == first + 1


def test_a_stamp_comes_after_every_instant_minted_before_it(home: Home) -> None:
    con = lake.open_lake(home, read_only=False)
    with lake.commit(con, home, "test") as work:
        work.touch("events")
        work.mint(5_000_000)
    con.close()
    assert insert(home, "later") > work.stamp + 5_000_000


def test_an_exception_leaves_nothing(home: Home) -> None:
    con = lake.open_lake(home, read_only=False)
    before = home.clock.read_text()
    with pytest.raises(ZeroDivisionError), lake.commit(con, home, "test") as work:
        work.touch("events")
        con.execute("insert into landing.main.events by name select 1 as id")
        raise ZeroDivisionError
    assert (runs(home), home.clock.read_text()) == ({}, before)


def test_a_commit_that_touches_nothing_mints_no_stamp(home: Home) -> None:
    con = lake.open_lake(home, read_only=False)
    before = home.clock.read_text()
    with lake.commit(con, home, "test"):
        pass
    assert home.clock.read_text() == before


@pytest.mark.parametrize("attempt", range(3))
def test_a_killed_writer_loses_nothing_committed_and_leaves_nothing_partial(home: Home, attempt: int) -> None:
    writer = start_writer("w")
    lines = [writer.stdout.readline().strip() for _ in range(3 + attempt)]
    time.sleep(0.004 * attempt)
    writer.send_signal(signal.SIGKILL)
    lines += writer.stdout.read().split()
    writer.wait()
    stored = runs(home)
    assert set(lines) <= set(stored)
    assert set(stored.values()) == {3}
    assert insert(home, "after") > 0


def test_two_writers_at_once_lose_nothing(home: Home) -> None:
    writers = [start_writer("a"), start_writer("b")]
    told = [[writer.stdout.readline().strip() for _ in range(12)] for writer in writers]
    for writer in writers:
        writer.send_signal(signal.SIGKILL)
        writer.wait()
    assert {line for lines in told for line in lines} <= set(runs(home))


def test_a_lock_held_too_long_refuses_and_says_who_holds_it(home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    with lake.hold(home, "a long write"):
        monkeypatch.setattr("contextful_cli.locks.PATIENCE_SECONDS", 0.01)
        code = "from contextful_cli import lake, locks; from contextful_cli.settings import Home\n" + (
            "home = Home.locate()\n"
            "try:\n    with locks.hold(home.lake / 'lock', 'x', busy='LakeBusy', patience=0.05): print('got it')\n"
            "except Exception as error: print(error)"
        )
        said = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert said.startswith(f"LakeBusy: process {os.getpid()} (a long write, since 20")


def test_many_commits_are_flushed_and_merged_on_the_way(home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lake, "COMMITS_BEFORE_COMPACTION", 3)
    for run in range(3):
        insert(home, str(run))
    assert clocks.read(home).uncompacted == 0
    assert list(home.data.rglob("*.parquet")) != []
    assert runs(home) == {"0": 1, "1": 1, "2": 1}


def test_compaction_deletes_what_a_crash_left_and_keeps_every_row(home: Home) -> None:
    insert(home, "a", 5)
    orphan = home.data / "main" / "events" / "orphan.parquet"
    orphan.parent.mkdir(parents=True, exist_ok=True)
    orphan.write_bytes(b"left by a crash")
    lake.compact(home)
    assert not orphan.exists()
    assert runs(home) == {"a": 5}


def test_a_declared_table_that_gains_a_column_keeps_its_rows(home: Home, tmp_path: Path) -> None:
    insert(home, "a", 2)
    grown = tmp_path / "grown"
    (grown / "models").mkdir(parents=True)
    text = (home.project / "models/landing/shapes.yml").read_text()
    text = text.replace(
        '{name: note, data_type: "varchar"}',
        "{name: note, data_type: varchar}\n          - {name: place, data_type: varchar}",
    )
    (grown / "models/shapes.yml").write_text(text)
    changes = layout.lay_tables(home, declaration.load(grown))
    con = lake.open_lake(home)
    assert changes == ["events"]
    assert con.execute("select place, id from landing.main.events order by id").fetchall() == [(None, 0), (None, 1)]


def test_a_column_whose_type_changed_refuses(home: Home, tmp_path: Path) -> None:
    changed = tmp_path / "changed"
    (changed / "models").mkdir(parents=True)
    text = (home.project / "models/landing/shapes.yml").read_text()
    (changed / "models/shapes.yml").write_text(
        text.replace('{name: guests, data_type: "bigint"}', "{name: guests, data_type: varchar}")
    )
    with pytest.raises(ContextfulError, match=r"DeclarationMalformed: .*visits.*guests.*BIGINT.*varchar"):
        layout.lay_tables(home, declaration.load(changed))


def test_no_lake_says_which_command_makes_one(tmp_path: Path) -> None:
    with pytest.raises(ContextfulError, match=r"LakeMissing: .*contextful init"):
        lake.open_lake(Home(project=tmp_path, root=tmp_path / "none"))


@pytest.mark.parametrize(
    ("text", "word"),
    [
        (Clock(format=99).dumps(), "newer release"),
        (Clock(format=0).dumps(), "contextful upgrade"),
        ("{", "contextful upgrade"),
        (json.dumps([1]), "contextful upgrade"),
    ],
)
def test_a_lake_of_another_release_refuses_with_what_to_do(home: Home, text: str, word: str) -> None:
    home.clock.write_text(text)
    with pytest.raises(ContextfulError, match=f"LakeVersion: .*{word}"):
        lake.open_lake(home)


def test_a_full_or_forbidden_disk_refuses_and_stores_nothing(home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    con = lake.open_lake(home, read_only=False)
    monkeypatch.setattr(clocks, "write", full)
    refusal = pytest.raises(ContextfulError, match=r"StorageFailed: nothing was stored.*No space left")
    with refusal, lake.commit(con, home, "test") as work:
        work.touch("events")
        con.execute("insert into landing.main.events by name select 1 as id")
    assert runs(home) == {}


def test_the_state_folder_can_be_moved(home: Home, tmp_path: Path) -> None:
    insert(home, "a", 2000)
    lake.compact(home)
    moved = Home(project=home.project, root=home.root.rename(tmp_path / "elsewhere"))
    assert runs(moved) == {"a": 2000}


def locks(file: Path) -> list[list[str]]:
    """The POSIX locks that this process holds on a file."""
    told = [line.split() for line in Path("/proc/locks").read_text().splitlines()]
    return [one[1:5] for one in told if one[5].endswith(f":{file.stat().st_ino}") and one[4] == str(os.getpid())]


@pytest.mark.skipif(not Path("/proc/locks").exists(), reason="tells of locks on Linux only")
def test_no_look_at_the_catalog_drops_the_locks_of_a_commit_in_another_thread(home: Home) -> None:
    """Closing any descriptor of a file drops all POSIX locks of the process on it, SQLite's own apart."""
    con = lake.open_lake(home, read_only=False)
    with lake.commit(con, home, "test") as work:
        con.execute("insert into landing.main.people (id, _row_seq) values ('a', 0)")
        held = locks(home.catalog)
        assert held
        clocks.read(home)
        other = lake.open_lake(home)
        other.execute("select count(*) from landing.main.people").fetchone()
        other.close()
        assert locks(home.catalog) == held
        work.touch("people")
    con.close()


def test_a_flush_that_fails_after_the_commit_refuses_nothing(home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lake, "COMMITS_BEFORE_COMPACTION", 1)
    flush = lake.flush

    def fails(con: object) -> None:
        raise OSError("no room")

    con = lake.open_lake(home, read_only=False)
    for broken in (True, False):
        monkeypatch.setattr(lake, "flush", fails if broken else flush)
        with lake.commit(con, home, "test") as work:
            con.execute("insert into landing.main.people (id, _row_seq) values ('a', 0)")
            work.touch("people")
        assert clocks.read(home).uncompacted == (1 if broken else 0)
    assert con.execute("select count(*) from landing.main.people").fetchone() == (2,)
    con.close()


def test_no_read_beside_a_flush_misses_a_row(home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    """DuckLake takes inlined rows out before a reader that has just begun knows of the file they went to."""
    monkeypatch.setattr(lake, "COMMITS_BEFORE_COMPACTION", 4)
    writer, reader = lake.open_lake(home, read_only=False), lake.open_lake(home)
    committed, missed, ends = [0], [], time.monotonic() + 5

    def read() -> None:
        while time.monotonic() < ends and not missed:
            before = committed[0]
            with quiet.reading(home):
                (found,) = reader.execute("select count(*) from landing.main.people").fetchone()
            if found < before:
                missed.append((found, before))

    reading = threading.Thread(target=read)
    reading.start()
    while reading.is_alive():
        with lake.commit(writer, home, "test") as work:
            values = [f"r{committed[0]}", work.stamp * 1000]
            writer.execute(
                "insert into landing.main.people by name select 'a' as id, $1 as _run_id, 0 as _row_seq, "
                "make_timestamp_ns($2) as _ingested_at",
                values,
            )
            work.touch("people")
        committed[0] += 1
    assert missed == []
    assert committed[0] > 8
    assert clocks.read(home).uncompacted < committed[0]


def test_a_flush_waits_while_dbt_or_a_read_goes_on(home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(quiet, "PATIENCE_SECONDS", 0.05)
    with quiet.reading(home), quiet.reading(home), quiet.flushing(home) as is_quiet:
        assert not is_quiet
    building = quiet.building(home)
    with quiet.reading(home), quiet.flushing(home) as is_quiet:
        assert not is_quiet
    os.close(building)
    with quiet.flushing(home) as is_quiet:
        assert is_quiet
