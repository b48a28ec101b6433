"""`make soak`: what only shows in minutes. Exit 1 and a sentence for the first thing that is not as it must be.

1. Two `memory write --from` loops, a `build` loop and a recall loop side by side: no error, no lost claim, every recall
   answers, and an as-of recall of any instant, repeated afterwards, gives the same bytes.
2. `kill -9` of writers and builds at random points: each file of claims is stored whole or not at all, what a writer
   reported is there, and the home stays healthy.
3. Eight clients of `contextful serve` write and recall while builds loop: see served_soak.
"""

import argparse
import itertools
import json
import os
import random
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

import served_soak
import workshop

LINES = 40


@dataclass
class Soak:
    """What the loops share. told: claims reported as landed; answers: (subject, as-of) to the answer's bytes."""

    shop: workshop.Workshop
    ends: float
    told: dict[str, int] = field(default_factory=dict)
    answers: dict[tuple[str, str], str] = field(default_factory=dict)
    counts: dict[str, int] = field(default_factory=dict)
    failures: list[str] = field(default_factory=list)

    def running(self) -> bool:
        return time.monotonic() < self.ends and not self.failures


def claims_file(folder: Path, writer: str, turn: int) -> Path:
    """One file of claims on the writer's own subjects; each object names its file and line, so that a loss shows."""
    path = folder / f"{writer}-{turn}.jsonl"
    lines = (
        {
            "claim": {
                "subject": f"{writer} {number % 10}",
                "predicate": "says",
                "object": f"{writer}-{turn}-{number}",
                "confidence": 0.5,
                "evidence": [{"table": "events", "run": "seed", "seq": number % 5}],
            }
        }
        for number in range(LINES)
    )
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    return path


def write_loop(soak: Soak, writer: str, folder: Path) -> None:
    for turn in itertools.count():
        if not soak.running():
            return
        said = soak.shop.run("memory", "write", "--into", "facts", "--from", str(claims_file(folder, writer, turn)))
        report = json.loads(said.stdout) if said.returncode == 0 else None
        if report is None or report["landed"] != LINES:
            soak.failures.append(f"write {writer} {turn}: exit {said.returncode}, {said.stdout}{said.stderr}")
            return
        soak.told[f"{writer}-{turn}"] = LINES
        soak.counts["writes"] = soak.counts.get("writes", 0) + 1


def build_loop(soak: Soak) -> None:
    while soak.running():
        said = soak.shop.run("build")
        if said.returncode != 0:
            soak.failures.append(f"build: {said.stderr}")
        soak.counts["builds"] = soak.counts.get("builds", 0) + 1


def recall_loop(soak: Soak) -> None:
    chance = random.Random(7)
    while soak.running():
        subject = f"{chance.choice('ab')} {chance.randrange(10)}"
        bound = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(time.time() - chance.randrange(0, 5)))
        said = recall(soak.shop, subject, bound)
        if said.returncode != 0:
            soak.failures.append(f"recall of {subject}: {said.stderr}")
            return
        soak.answers[subject, bound] = said.stdout
        soak.counts["recalls"] = soak.counts.get("recalls", 0) + 1


def recall(shop: workshop.Workshop, subject: str, bound: str) -> subprocess.CompletedProcess[str]:
    observed = ("--observed-at", "2100-01-01T00:00:00Z")
    return shop.run("memory", "recall", "--table", "facts", "--subject", subject, "--as-of-ingest", bound, *observed)


def side_by_side(shop: workshop.Workshop, folder: Path, seconds: float) -> None:
    soak = Soak(shop, time.monotonic() + seconds)
    loops: list[Callable[[], None]] = [
        lambda: write_loop(soak, "a", folder),
        lambda: write_loop(soak, "b", folder),
        lambda: build_loop(soak),
        lambda: recall_loop(soak),
    ]
    threads = [threading.Thread(target=loop) for loop in loops]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    demand(not soak.failures, "; ".join(soak.failures))
    demand(stored_files(shop) == soak.told, "a claim was lost, or stands twice")
    for (subject, bound), answer in soak.answers.items():
        demand(recall(shop, subject, bound).stdout == answer, f"{subject} as of {bound} answers otherwise now")
    print(f"side by side for {seconds:g} s: {soak.counts}, {len(soak.answers)} as-of answers repeated byte for byte")


def stored_files(shop: workshop.Workshop) -> dict[str, int]:
    """Claims stored of each file: 'a-3' to 40."""
    said = shop.run(
        "shell",
        "select regexp_replace(object, '-[0-9]+$', '') as file, count(*) as n from landing.main.facts group by 1",
    )
    return {row["file"]: row["n"] for row in map(json.loads, said.stdout.splitlines())}


def kills(shop: workshop.Workshop, folder: Path, times: int) -> None:
    chance = random.Random(11)
    before = stored_files(shop)
    told: set[str] = set()
    for turn in range(times):
        name, command = next_victim(folder, turn)
        process = subprocess.Popen(
            shop.command(*command), env=shop.environment, text=True, stdout=subprocess.PIPE, start_new_session=True
        )
        try:
            process.wait(timeout=chance.uniform(0.2, 6.0 if name is None else 1.2))
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
        said = process.communicate()[0]
        if name is not None and '"landed"' in said:
            told.add(name)
    after = stored_files(shop)
    new = {name: rows for name, rows in after.items() if name not in before}
    demand(all(rows == LINES for rows in new.values()), f"a file is stored in part: {new}")
    demand(told <= set(new), f"reported and lost: {told - set(new)}")
    built = shop.run("build")
    demand(built.returncode == 0, built.stderr)
    healthy = shop.run("doctor")
    demand(healthy.returncode == 0, healthy.stdout)
    print(f"killed {times} times: {len(new)} files stored whole, {len(told)} of them reported, home healthy")


def next_victim(folder: Path, turn: int) -> tuple[str | None, tuple[str, ...]]:
    """Every fifth victim is a build, the others write a file of claims."""
    if turn % 5 == 4:
        return None, ("build",)
    path = claims_file(folder, "killed", turn)
    return path.stem, ("memory", "write", "--into", "facts", "--from", str(path))


def demand(holds: bool, sentence: str) -> None:
    if not holds:
        sys.exit(f"soak: {sentence}")


def parts(arguments: argparse.Namespace) -> Iterator[Callable[[workshop.Workshop, Path], None]]:
    yield lambda shop, folder: side_by_side(shop, folder, arguments.seconds)
    yield lambda shop, folder: kills(shop, folder, arguments.kills)
    yield lambda shop, _: print(served_soak.run(shop, arguments.served))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=180, help="how long the loops run side by side")
    parser.add_argument("--kills", type=int, default=50, help="how many processes are killed")
    parser.add_argument("--served", type=float, default=600, help="how long clients use the server")
    arguments = parser.parse_args()
    for part in parts(arguments):
        with tempfile.TemporaryDirectory() as folder:
            shop = workshop.lay(Path(folder))
            shop.land_events(5)
            part(shop, Path(folder))


if __name__ == "__main__":
    main()
