"""Seals: what each closed segment held, and which segments were dropped since. A chain of lines of its own."""

import json
import time
from dataclasses import dataclass, field, replace
from hashlib import sha256

from contextful_cli import instants
from contextful_cli.ledger import chain, head
from contextful_cli.ledger.entry import members
from contextful_cli.ledger.folder import Folder, add, sync_folder
from contextful_cli.ledger.head import Head

AT = slice(len('"at":"'), len('"at":"') + len("2026-01-01T00:00:00.000000Z"))


@dataclass(frozen=True, slots=True)
class Seal:
    """A closed segment: its entries' seqs, the last one's hash, the latest instant among them, SHA-256 of its file."""

    segment: int
    first_seq: int
    last_seq: int
    entries: int
    last_hash: str
    last_at: str
    bytes: int
    sha256: str


@dataclass(slots=True)
class Seals:
    """sealed: in order of segments. dropped: segment to the instant when it was dropped."""

    sealed: list[Seal] = field(default_factory=list)
    dropped: dict[int, str] = field(default_factory=dict)


def read(folder: Folder) -> Seals:
    """The seals as they stand, unverified; lines that are none are passed over."""
    try:
        with folder.seals.open("rb") as file:
            return parse(file.readlines())
    except FileNotFoundError:
        return Seals()


def parse(lines: list[bytes]) -> Seals:
    """As `read`, of the lines of sealed.jsonl."""
    found = Seals()
    for line in lines:
        try:
            told = json.loads(line)
            if told["event"] == "sealed":
                found.sealed.append(Seal(**{name: told[name] for name in Seal.__slots__}))
            else:
                found.dropped[told["segment"]] = told["at"]
        except (ValueError, TypeError, KeyError):
            continue
    return found


def seal(folder: Folder, now: Head) -> Head:
    """Close the open segment; the next entry begins another. The caller holds the lock and has settled the tail."""
    made = _made(folder, now)
    facts = {"event": "sealed"} | {name: getattr(made, name) for name in Seal.__slots__}
    return _record(folder, replace(now, segment=now.segment + 1, entries=replace(now.entries, size=0)), [facts])


def drop(folder: Folder, now: Head, before: str) -> tuple[Head, list[int]]:
    """Remove the oldest sealed segments whose entries are all before an instant (RFC 3339 UTC, µs); their seals stay.

    Gives the segments dropped by this call. The caller holds the lock.
    """
    found = read(folder)
    due: list[int] = []
    for one in found.sealed:
        if one.segment in found.dropped:
            continue
        # Only from the front: a chain with a hole in the middle would vouch for nothing after it.
        if one.last_at >= before:
            break
        due.append(one.segment)
    if due:
        now = _record(folder, now, [{"event": "dropped", "segment": number} for number in due])
    # Of earlier drops too: one that was killed had recorded them already.
    for number in [*found.dropped, *due]:
        folder.segment(number).unlink(missing_ok=True)
    sync_folder(folder.root)
    return now, due


def _record(folder: Folder, now: Head, facts: list[dict[str, object]]) -> Head:
    at = instants.format_us(time.time_ns() // 1000)
    data, mark = chain.extend(now.seals, at, [members(one) for one in facts])
    add(folder.seals, now.seals.size, data)
    further = replace(now, seals=mark)
    head.write(folder, further)
    return further


def _made(folder: Folder, now: Head) -> Seal:
    digest, entries, latest = sha256(), 0, b""
    with folder.segment(now.segment).open("rb") as file:
        for line in file:
            digest.update(line)
            entries += 1
            # The clock may have been set back between two entries.
            latest = max(latest, line[line.index(b",") + 1 :][AT])
    return Seal(
        segment=now.segment,
        first_seq=now.entries.seq - entries + 1,
        last_seq=now.entries.seq,
        entries=entries,
        last_hash=now.entries.hash,
        last_at=latest.decode(),
        bytes=now.entries.size,
        sha256=digest.hexdigest(),
    )
