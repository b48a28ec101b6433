"""The read ledger: an entry is durable or the read gets no answer; whatever is done to the files afterwards shows."""

import json
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from ledgers import entry, lines, put

from contextful_cli.errors import ContextfulError
from contextful_cli.ledger import Ledger, chain, folder, head, sealing, seals, store
from contextful_cli.ledger.entry import members
from contextful_cli.ledger.folder import Folder
from contextful_cli.ledger.report import MOST_TOLD, Report
from contextful_cli.ledger.verify import verify
from contextful_cli.settings import Home

APPENDER = """
import sys
from pathlib import Path
sys.path.insert(0, sys.argv[1])
from ledgers import entry
from contextful_cli.ledger import Ledger
from contextful_cli.settings import Home
ledger = Ledger(Home(project=Path("."), root=Path(sys.argv[2])))
for number in range(int(sys.argv[4])):
    ledger.append(entry(task=f"{sys.argv[3]}-{number}"))
    print(f"{sys.argv[3]}-{number}", flush=True)
"""


@pytest.fixture
def place(tmp_path: Path) -> Home:
    """A state folder without a lake: the ledger needs none."""
    (tmp_path / "home").mkdir()
    return Home(project=tmp_path, root=tmp_path / "home")


@pytest.fixture
def kept(place: Home) -> Home:
    """A ledger of ten entries, the fourth and the seventh the last of their segments."""
    ledger = Ledger(place)
    for number in range(1, 11):
        ledger.append(entry(task=str(number)))
        if number in (4, 7):
            sealing.seal(place, None)
    return place


def start(home: Home, name: str, appends: int) -> subprocess.Popen[str]:
    arguments = [sys.executable, "-c", APPENDER, str(Path(__file__).parent), str(home.root), name, str(appends)]
    return subprocess.Popen(arguments, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def tasks(home: Home, segment: int = 1) -> list[str]:
    return [json.loads(line)["task"] for line in lines(home, segment)]


def sound(home: Home) -> Report:
    report = verify(home)
    assert report.broken == []
    return report


def found(home: Home) -> list[tuple[str, int | None, int | None]]:
    return [(one.file, one.line, one.seq) for one in verify(home).broken]


def refused(home: Home) -> str:
    with pytest.raises(ContextfulError) as raised:
        Ledger(home).append(entry())
    assert raised.value.identifier == "AuditEntryUnpersisted"
    return raised.value.message


def test_an_entry_holds_its_facts_in_order_and_the_hash_of_its_bytes(place: Home) -> None:
    Ledger(place).append(entry(observed_at="2026-01-01T00:00:00.000000000Z"))
    (line,) = lines(place)
    told = json.loads(line)
    assert list(told) == [
        "seq",
        "at",
        "face",
        "tool",
        "table",
        "outcome",
        "grant_id",
        "chain",
        "on_behalf_of",
        "agent",
        "task",
        "host",
        "observed_at",
        "as_of_ingest",
        "available_as_of",
        "rows",
        "contextful.memory.claims",
        "prev",
        "hash",
    ]
    assert (told["seq"], told["prev"], told["chain"]) == (1, "0" * 64, ["g1", "g2"])
    assert line == json.dumps(told, separators=(",", ":"), ensure_ascii=False).encode() + b"\n"


def test_a_read_that_returns_no_claims_by_its_nature_has_no_such_member(place: Home) -> None:
    Ledger(place).append(entry(claims=None))
    Ledger(place).append(entry(claims=()))
    assert ["contextful.memory.claims" in json.loads(line) for line in lines(place)] == [False, True]


def test_no_ledger_and_one_entry_verify(place: Home) -> None:
    assert sound(place).entries == 0
    assert not place.audit.exists()
    Ledger(place).append(entry())
    report = sound(place)
    assert (report.entries, report.segments, report.last) == (
        1,
        1,
        {"seq": 1, "hash": json.loads(lines(place)[0])["hash"]},
    )


def test_folder_and_files_are_their_owners_alone_whatever_the_umask(place: Home) -> None:
    before = os.umask(0)
    try:
        Ledger(place).append(entry())
        sealing.seal(place, None)
        Ledger(place).append(entry())
    finally:
        os.umask(before)
    assert place.audit.stat().st_mode & 0o777 == 0o700
    assert {path.name: path.stat().st_mode & 0o777 for path in place.audit.iterdir()} == dict.fromkeys(
        ("ledger-000001.jsonl", "ledger-000002.jsonl", "sealed.jsonl", "head.json", "lock"), 0o600
    )


@given(text=st.text(), claims=st.lists(st.text(), max_size=3))
def test_any_text_in_any_field_comes_back(
    tmp_path_factory: pytest.TempPathFactory, text: str, claims: list[str]
) -> None:
    home = Home(project=Path(), root=tmp_path_factory.mktemp("texts"))
    texts = ("face", "tool", "table", "outcome", "grant_id", "on_behalf_of", "agent", "task", "host")
    instants = ("observed_at", "as_of_ingest", "available_as_of")
    asked = dict.fromkeys((*texts, *instants), text)
    Ledger(home).append(entry(**asked, chain=(text,), claims=tuple(claims)))
    (line,) = lines(home)
    told = json.loads(line)
    assert {name: told[name] for name in asked} == asked
    assert (told["chain"], told["contextful.memory.claims"]) == ([text], claims)
    sound(home)


def test_a_text_that_is_none_gets_no_answer_and_harms_no_other_entry(place: Home) -> None:
    ledger = Ledger(place)
    with pytest.raises(ContextfulError, match="AuditEntryUnpersisted"):
        ledger.append(entry(task="\ud800"))
    ledger.append(entry())
    assert sound(place).entries == 1


# What is done to the files shows, and where.


def test_segments_continue_each_other(kept: Home) -> None:
    report = sound(kept)
    assert (report.entries, report.segments, report.dropped, report.last["seq"]) == (10, 3, 0, 10)


@pytest.mark.parametrize(("segment", "seq"), [(1, 2), (2, 6), (3, 9)])
def test_an_edited_entry_is_found(kept: Home, segment: int, seq: int) -> None:
    put(kept, [line.replace(b'"task":"%d"' % seq, b'"task":"x"') for line in lines(kept, segment)], segment)
    assert found(kept) == [(f"ledger-00000{segment}.jsonl", 2, seq)]


def test_an_entry_written_otherwise_that_reads_alike_is_found(kept: Home) -> None:
    put(kept, [line.replace(b'"task":"9"', b'"task":"\\u0039"') for line in lines(kept, 3)], 3)
    assert found(kept) == [("ledger-000003.jsonl", 2, 9)]


@pytest.mark.parametrize(("segment", "line", "seq"), [(1, 2, 3), (2, 2, 7), (3, 1, 9)])
def test_a_removed_entry_is_found_at_the_one_after_it(kept: Home, segment: int, line: int, seq: int) -> None:
    rest = [one for one in lines(kept, segment) if not one.startswith(b'{"seq":%d,' % (seq - 1))]
    put(kept, rest, segment)
    assert (f"ledger-00000{segment}.jsonl", line, seq) in found(kept)


def test_the_last_entry_of_a_sealed_segment_cannot_go(kept: Home) -> None:
    put(kept, lines(kept, 2)[:-1], 2)
    assert ("ledger-000003.jsonl", 1, 8) in found(kept)
    assert ("ledger-000002.jsonl", None, None) in found(kept)


def test_an_inserted_entry_is_found(kept: Home) -> None:
    first, *rest = lines(kept, 3)
    put(kept, [first, first, *rest], 3)
    assert ("ledger-000003.jsonl", 2, 8) in found(kept)


def test_an_entry_put_at_the_end_is_found_and_nothing_is_written_after_it(kept: Home) -> None:
    put(kept, [*lines(kept, 3), lines(kept, 3)[0]], 3)
    assert found(kept) == [("ledger-000003.jsonl", 4, 8)]
    assert "does not continue" in refused(kept)


def test_reordered_entries_are_found(kept: Home) -> None:
    first, second, third = lines(kept, 2)
    put(kept, [second, first, third], 2)
    assert {line for _, line, _ in found(kept)} == {1, 2, 3}


@pytest.mark.parametrize("left", [0, 1, 2])
def test_a_cut_tail_is_found_and_nothing_is_written_after_it(kept: Home, left: int) -> None:
    put(kept, lines(kept, 3)[:left], 3)
    (cut,) = verify(kept).broken
    assert cut.problem == f"it ends at entry {7 + left}, the head at 10: the tail was cut"
    assert "was cut" in refused(kept)


def test_a_tail_cut_within_its_last_line_is_found(kept: Home) -> None:
    put(kept, [b"".join(lines(kept, 3))[:-1]], 3)
    assert ("ledger-000003.jsonl", 3, 10) in found(kept)


@pytest.mark.parametrize("segment", [1, 2, 3])
def test_a_removed_segment_is_found(kept: Home, segment: int) -> None:
    Folder(kept.audit).segment(segment).unlink()
    (gone,) = verify(kept).broken
    assert (gone.segment, "missing" in gone.problem or "cut" in gone.problem) == (segment, True)


def test_a_segment_that_belongs_to_no_chain_is_found(kept: Home) -> None:
    put(kept, lines(kept, 3), 9)
    assert found(kept) == [("ledger-000009.jsonl", None, None)]


def rehashed(changed: list[bytes], start: chain.Mark) -> list[bytes]:
    """Lines with fresh hashes from a mark on, as a forger would write them."""
    made = []
    for line in changed:
        told = json.loads(line)
        facts = {name: told[name] for name in told if name not in ("seq", "at", "prev", "hash")}
        data, start = chain.extend(start, told["at"], [members(facts)])
        made.append(data)
    return made


def test_a_tail_recomputed_after_an_edit_does_not_fit_the_head(kept: Home) -> None:
    before = chain.Mark(7, json.loads(lines(kept, 2)[-1])["hash"])
    changed = [line.replace(b'"ann"', b'"bob"') for line in lines(kept, 3)]
    put(kept, rehashed(changed, before), 3)
    (forged,) = verify(kept).broken
    assert (forged.segment, forged.seq, "written anew" in forged.problem) == (3, 10, True)
    assert "does not end in the line that the head names" in refused(kept)


def test_a_segment_recomputed_after_an_edit_does_not_fit_its_seal(kept: Home) -> None:
    put(kept, rehashed([line.replace(b'"ann"', b'"bob"') for line in lines(kept, 1)], chain.Mark()), 1)
    assert found(kept) == [("ledger-000001.jsonl", None, None), ("ledger-000002.jsonl", 1, 5)]


def seal_lines(home: Home) -> list[bytes]:
    return Folder(home.audit).seals.read_bytes().splitlines(keepends=True)


def test_an_edited_seal_is_found(kept: Home) -> None:
    Folder(kept.audit).seals.write_bytes(b"".join(seal_lines(kept)).replace(b'"entries":4', b'"entries":5'))
    assert ("sealed.jsonl", 1, 1) in found(kept)


def test_seals_recomputed_after_an_edit_fit_neither_segment_nor_head(kept: Home) -> None:
    changed = [line.replace(b'"entries":4', b'"entries":5') for line in seal_lines(kept)]
    Folder(kept.audit).seals.write_bytes(b"".join(rehashed(changed, chain.Mark())))
    assert found(kept) == [("sealed.jsonl", None, 2), ("ledger-000001.jsonl", None, None)]


def test_a_removed_seal_is_found(kept: Home) -> None:
    Folder(kept.audit).seals.write_bytes(seal_lines(kept)[0])
    assert ("sealed.jsonl", None, 2) in found(kept)
    assert "was cut" in refused(kept)


@pytest.mark.parametrize("text", [None, b"", b"{}", b"\0" * 512])
def test_a_lost_or_damaged_head_is_found_and_nothing_is_written_over_it(kept: Home, text: bytes | None) -> None:
    path = Folder(kept.audit).head
    path.unlink() if text is None else path.write_bytes(text)
    assert ("head.json", None, None) in found(kept)
    assert "head.json" in refused(kept)


def bits(home: Home) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in home.audit.iterdir() if path.name != "lock"}


@pytest.fixture(scope="module")
def sample(tmp_path_factory: pytest.TempPathFactory) -> tuple[Home, dict[str, bytes]]:
    """A ledger with a dropped, a sealed and an open segment, and its files as they were."""
    home = Home(project=Path(), root=tmp_path_factory.mktemp("sample"))
    ledger = Ledger(home)
    for number in range(9):
        ledger.append(entry(task=f"é{number}"))
        if number in (2, 5):
            sealing.seal(home, "9000-01-01" if number == 2 else None)
    assert sound(home).dropped == 1
    return home, bits(home)


@given(data=st.data())
def test_any_changed_byte_is_found(sample: tuple[Home, dict[str, bytes]], data: st.DataObject) -> None:
    home, files = sample
    name = data.draw(st.sampled_from(sorted(files)))
    place = data.draw(st.integers(0, len(files[name]) - 1))
    other = data.draw(st.integers(1, 255))
    changed = bytearray(files[name])
    changed[place] ^= other
    assert breaks_with(home, name, bytes(changed), files[name])


@given(data=st.data())
def test_any_removed_doubled_or_swapped_line_is_found(
    sample: tuple[Home, dict[str, bytes]], data: st.DataObject
) -> None:
    home, files = sample
    name = data.draw(st.sampled_from([one for one in sorted(files) if one != "head.json"]))
    told = files[name].splitlines(keepends=True)
    one, two = data.draw(st.lists(st.integers(0, len(told) - 1), min_size=2, max_size=2, unique=True))
    swapped = list(told)
    swapped[one], swapped[two] = told[two], told[one]
    for changed in ([*told[:one], *told[one + 1 :]], [*told[: one + 1], *told[one:]], swapped):
        assert breaks_with(home, name, b"".join(changed), files[name])


def breaks_with(home: Home, name: str, changed: bytes, before: bytes) -> bool:
    (home.audit / name).write_bytes(changed)
    try:
        return verify(home).breaks > 0
    finally:
        (home.audit / name).write_bytes(before)


# What a crash or a full disk leaves is no entry, and no break.


@pytest.mark.parametrize("attempt", range(4))
def test_a_killed_process_loses_no_entry_and_leaves_no_half_one(place: Home, attempt: int) -> None:
    running = start(place, "a", 100_000)
    told = [running.stdout.readline().strip() for _ in range(5 + attempt)]
    time.sleep(0.0037 * attempt)
    running.send_signal(signal.SIGKILL)
    told += running.stdout.read().split()
    running.wait()
    sound(place)
    assert set(told) <= set(tasks(place))
    Ledger(place).append(entry(task="after"))
    assert tasks(place)[-1] == "after"
    assert sound(place).unfinished == 0


@pytest.mark.parametrize("torn", [b'{"seq":2,"at":"20', b"\0" * 100, b'{"seq":2,' + b"\0" * 4096 + b'"}\n{"x":1}\n'])
def test_a_torn_line_is_no_entry_and_is_cut_off_by_the_next(place: Home, torn: bytes) -> None:
    Ledger(place).append(entry(task="1"))
    put(place, [*lines(place), torn])
    assert sound(place).unfinished == len(torn)
    Ledger(place).append(entry(task="2"))
    assert (tasks(place), sound(place).unfinished) == (["1", "2"], 0)


def test_entries_whose_head_was_not_written_are_kept(place: Home) -> None:
    Ledger(place).append(entry(task="1"))
    behind = Folder(place.audit).head.read_bytes()
    Ledger(place).append(entry(task="2"))
    Folder(place.audit).head.write_bytes(behind)
    assert sound(place).entries == 2
    Ledger(place).append(entry(task="3"))
    assert (tasks(place), sound(place).entries) == (["1", "2", "3"], 3)


def test_a_seal_whose_head_was_not_written_is_kept(place: Home) -> None:
    Ledger(place).append(entry(task="1"))
    behind = Folder(place.audit).head.read_bytes()
    sealing.seal(place, None)
    Folder(place.audit).head.write_bytes(behind)
    sound(place)
    Ledger(place).append(entry(task="2"))
    assert (tasks(place, 1), tasks(place, 2), sound(place).segments) == (["1"], ["2"], 2)


FULL = """
import resource, sys
from pathlib import Path
sys.path.insert(0, sys.argv[1])
from ledgers import entry
from contextful_cli.errors import ContextfulError
from contextful_cli.ledger import Ledger
from contextful_cli.settings import Home
resource.setrlimit(resource.RLIMIT_FSIZE, (5000, resource.RLIM_INFINITY))
ledger = Ledger(Home(project=Path("."), root=Path(sys.argv[2])))
kept = 0
try:
    while True:
        ledger.append(entry(task="x" * 300))
        kept += 1
except ContextfulError as error:
    print(kept, error.identifier, flush=True)
resource.setrlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
ledger.append(entry(task="again"))
"""


def test_without_room_there_is_no_entry_and_with_room_there_is_again(place: Home) -> None:
    """The kernel cuts the write in its middle at the limit, as on a full disk."""
    arguments = [sys.executable, "-c", FULL, str(Path(__file__).parent), str(place.root)]
    ran = subprocess.run(arguments, capture_output=True, text=True, check=True)
    kept, identifier = ran.stdout.split()
    assert (identifier, tasks(place)[int(kept) :]) == ("AuditEntryUnpersisted", ["again"])
    assert (sound(place).entries, sound(place).unfinished) == (int(kept) + 1, 0)


def failing(monkeypatch: pytest.MonkeyPatch, name: str, error: OSError) -> Callable[[], None]:
    def fail(*_: object) -> None:
        raise error

    monkeypatch.setattr(os, name, fail)
    return monkeypatch.undo


@pytest.mark.parametrize("name", ["fdatasync", "pwrite"])
def test_what_cannot_be_written_through_is_no_entry(place: Home, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    Ledger(place).append(entry(task="1"))
    mend = failing(monkeypatch, name, OSError(5, "Input/output error"))
    assert "Input/output error" in refused(place)
    mend()
    assert (tasks(place), sound(place).entries) == (["1"], 1)
    Ledger(place).append(entry(task="2"))
    assert tasks(place) == ["1", "2"]


def test_a_head_that_cannot_be_written_gives_no_answer_and_loses_nothing(
    place: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    Ledger(place).append(entry(task="1"))
    with monkeypatch.context() as broken:
        broken.setattr(head, "overwrite", lambda *_: (_ for _ in ()).throw(OSError(28, "No space left on device")))
        assert "No space left" in refused(place)
    Ledger(place).append(entry(task="3"))
    assert (tasks(place)[0], tasks(place)[-1], sound(place).entries) == ("1", "3", 3)


def test_a_state_folder_that_is_not_there_gives_no_answer(tmp_path: Path) -> None:
    assert "No such file" in refused(Home(project=tmp_path, root=tmp_path / "absent"))


def test_a_folder_that_is_a_file_gives_no_answer(place: Home) -> None:
    place.audit.write_text("")
    assert "Not a directory" in refused(place)


def test_a_lock_held_too_long_gives_no_answer(place: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    Ledger(place).append(entry())
    monkeypatch.setattr(folder, "PATIENCE_SECONDS", 0.05)
    with Folder(place.audit).exclusive():
        assert "holds" in refused(place)
    Ledger(place).append(entry())
    assert sound(place).entries == 2


# Several at once.


def test_two_processes_make_one_chain(place: Home) -> None:
    running = [start(place, name, 300) for name in "ab"]
    told = [one.communicate()[0].split() for one in running]
    assert [len(one) for one in told] == [300, 300]
    kept = tasks(place)
    assert [[task for task in kept if task.startswith(name)] for name in "ab"] == told
    assert kept not in (told[0] + told[1], told[1] + told[0])
    assert sound(place).last["seq"] == 600


def test_threads_share_a_chain(place: Home) -> None:
    append_from_threads(Ledger(place), threads=8, appends=25)
    assert sorted(tasks(place)) == sorted(f"{thread}-{number}" for thread in range(8) for number in range(25))
    assert sound(place).entries == 200


def test_those_who_wait_while_one_syncs_share_the_next_sync(place: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    ledger, syncs, sync = Ledger(place), [], os.fdatasync

    def first_waits_for_all(descriptor: int) -> None:
        syncs.append(descriptor)
        deadline = time.monotonic() + 30
        while len(syncs) == 1 and len(ledger._waiting) < 7 and time.monotonic() < deadline:
            time.sleep(0.001)
        sync(descriptor)

    monkeypatch.setattr(os, "fdatasync", first_waits_for_all)
    append_from_threads(ledger, threads=8, appends=1)
    assert sound(place).entries == 8
    assert len(syncs) == 4  # line and head of the first, then lines and head of the seven


def append_from_threads(ledger: Ledger, threads: int, appends: int) -> None:
    def work(thread: int) -> None:
        for number in range(appends):
            ledger.append(entry(task=f"{thread}-{number}"))

    working = [threading.Thread(target=work, args=(thread,)) for thread in range(threads)]
    for one in working:
        one.start()
    for one in working:
        one.join()


def test_all_threads_of_a_failed_sync_are_refused(place: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    ledger, refusals = Ledger(place), []
    ledger.append(entry())
    monkeypatch.setattr(os, "fdatasync", lambda _: (_ for _ in ()).throw(OSError(5, "Input/output error")))

    def work() -> None:
        try:
            ledger.append(entry())
        except ContextfulError as error:
            refusals.append(error.identifier)

    working = [threading.Thread(target=work) for _ in range(6)]
    for one in working:
        one.start()
    for one in working:
        one.join()
    assert refusals == ["AuditEntryUnpersisted"] * 6
    assert sound(place).entries == 1


def test_verification_goes_on_beside_appends(place: Home) -> None:
    running = start(place, "a", 400)
    running.stdout.readline()
    while running.poll() is None:
        sound(place)
    assert running.communicate()[1] == ""
    assert sound(place).entries == 400


# Segments and retention.


def test_a_full_segment_seals_itself(place: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(store, "SEGMENT_BYTES", 1500)
    ledger = Ledger(place)
    for number in range(20):
        ledger.append(entry(task=str(number)))
    report = sound(place)
    assert (report.entries, report.segments > 3) == (20, True)
    assert [one.segment for one in seals.read(Folder(place.audit)).sealed] == list(range(1, report.segments))


def test_an_empty_segment_is_not_sealed(place: Home) -> None:
    assert sealing.seal(place, None) == {"sealed": None, "dropped": []}
    Ledger(place).append(entry())
    assert [sealing.seal(place, None)["sealed"] for _ in range(2)] == [1, None]
    assert sound(place).entries == 1


def test_dropped_segments_are_told_of_and_the_chain_goes_on_from_their_seals(kept: Home) -> None:
    assert sealing.seal(kept, "2000-01-01") == {"sealed": 3, "dropped": []}
    assert sealing.seal(kept, "9000-01-01") == {"sealed": None, "dropped": [1, 2, 3]}
    report = sound(kept)
    assert (report.entries, report.segments, report.dropped, report.last["seq"]) == (0, 0, 3, 10)
    Ledger(kept).append(entry())
    assert json.loads(lines(kept, 4)[0])["seq"] == 11
    assert sound(kept).entries == 1


def test_a_segment_is_kept_that_has_an_entry_at_the_bound(kept: Home) -> None:
    last = json.loads(lines(kept, 2)[-1])["at"]
    assert sealing.seal(kept, last)["dropped"] == [1]


def test_a_drop_that_was_killed_before_its_file_was_removed_is_finished_by_the_next(kept: Home) -> None:
    text = Folder(kept.audit).segment(1).read_bytes()
    last = json.loads(lines(kept, 2)[-1])["at"]
    sealing.seal(kept, last)
    Folder(kept.audit).segment(1).write_bytes(text)
    assert sound(kept).dropped == 1
    sealing.seal(kept, last)
    assert not Folder(kept.audit).segment(1).exists()


def test_a_broken_ledger_is_not_sealed(kept: Home) -> None:
    put(kept, lines(kept, 3)[:-1], 3)
    with pytest.raises(ContextfulError, match="AuditChainBroken"):
        sealing.seal(kept, None)


def test_a_hundred_thousand_entries_verify_and_a_ledger_written_over_whole_tells_a_bounded_list(place: Home) -> None:
    store.store(Folder(place.audit), [entry(task=str(number)).facts() for number in range(100_000)])
    started = time.monotonic()
    assert sound(place).entries == 100_000
    assert time.monotonic() - started < 10
    put(place, [line.replace(b'"ann"', b'"bob"') for line in lines(place)])
    report = verify(place)
    assert (report.breaks, len(report.broken)) == (100_000, MOST_TOLD)


def test_a_copy_without_a_lock_verifies(kept: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    def read_only(*_: object) -> int:
        raise OSError(30, "Read-only file system")

    monkeypatch.setattr(folder, "open_private", read_only)
    assert sound(kept).entries == 10


def test_entries_are_frozen() -> None:
    with pytest.raises(AttributeError):
        entry().rows = 2
    assert replace(entry(), rows=2).rows == 2
