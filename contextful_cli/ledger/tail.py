"""What a crash left: lines beyond the head. An append settles them before it writes."""

import os
from dataclasses import replace
from pathlib import Path

from contextful_cli.ledger import chain, head, seals
from contextful_cli.ledger.chain import Mark
from contextful_cli.ledger.folder import Folder, damaged
from contextful_cli.ledger.head import Head


def settle(folder: Folder) -> Head:
    """The head, brought forward over whole lines beyond it; torn ones are cut off. The caller holds the lock.

    Refuses with AuditEntryUnpersisted where a file does not reach the head, or does not continue what it names.
    """
    found = head.read(folder) or head.create(folder)
    entries = _forward(folder.segment(found.segment), found.entries)
    sealed = _forward(folder.seals, found.seals)
    now = Head(found.segment, entries, sealed)
    if sealed == found.seals:
        return now
    done = [one.segment for one in seals.read(folder).sealed]
    return replace(now, segment=done[-1] + 1, entries=replace(entries, size=0)) if found.segment in done else now


def _forward(path: Path, mark: Mark) -> Mark:
    """How far a chain goes beyond a mark in its file."""
    try:
        with path.open("rb") as file:
            _refuse_cut(path, os.fstat(file.fileno()).st_size, mark)
            _refuse_other(path, file.fileno(), mark)
            file.seek(mark.size)
            for further, problem in chain.follow(file, mark):
                if problem:
                    raise damaged(f"{path.name} does not continue line {mark.seq}: {problem}")
                mark = further
            is_torn = os.fstat(file.fileno()).st_size > mark.size
    except FileNotFoundError:
        _refuse_cut(path, 0, mark)
        return mark
    if is_torn:
        os.truncate(path, mark.size)
    return mark


def _refuse_cut(path: Path, size: int, mark: Mark) -> None:
    if size < mark.size:
        raise damaged(f"{path.name} was cut: the head says {mark.size} bytes, it has {size}")


def _refuse_other(path: Path, descriptor: int, mark: Mark) -> None:
    if not mark.size:
        return
    end = os.pread(descriptor, chain.TAIL_BYTES, max(mark.size - chain.TAIL_BYTES, 0))
    if chain.stated_hash(end) != mark.hash:
        raise damaged(f"{path.name} does not end in the line that the head names")
