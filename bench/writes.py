"""Figures of writing and building: batches, single writes, builds."""

import json
import statistics
import subprocess
import sys
import time
from dataclasses import dataclass, field
from pathlib import Path

import duckdb
from workshop import Workshop

from contextful_cli import lake, revise
from contextful_cli.revision.writer import Provenance, Writer

REPEATS = 30
# What a claims table costs without any of its rules: the same lines, typed, copied into the same lake:
# into a table of just their columns (plain), or into one laid and sorted as a claims table is (alike).
COPY = '''
import sys
from contextful_cli import lake
from contextful_cli.settings import Home
home = Home.locate()
con = lake.open_lake(home, read_only=False)
claim = """subject varchar, predicate varchar, "object" varchar, confidence double,
evidence struct("table" varchar, run varchar, seq bigint, key_digest varchar)[]"""
if sys.argv[2] == "alike":
    con.execute("create table landing.main.copied as from landing.main.facts limit 0")
    con.execute("alter table landing.main.copied set sorted by (subject asc)")
else:
    con.execute(f"create table landing.main.copied ({claim}, valid_from timestamptz)")
with lake.commit(con, home, "bench") as work:
    work.touch("copied")
    columns = f"{{claim: $$struct({claim})$$, observed_at: 'timestamptz'}}"
    con.execute("insert into landing.main.copied by name select unnest(claim), observed_at as valid_from "
                f"from read_json(?, format = 'newline_delimited', columns = {columns})", [sys.argv[1]])
con.execute("drop table landing.main.copied")
'''

# A child's peak begins with that of the process that starts it: a small one stands between.
MEASURED = """
import resource, subprocess, sys
subprocess.run(sys.argv[1:], stdout=subprocess.DEVNULL, check=True)
print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)
"""


@dataclass
class Made:
    """Claims made for one home: each on one of `subjects` subjects, with one to three citations of `events` rows."""

    shop: Workshop
    subjects: int
    events: int
    count: int = 0
    peak_gigabytes: float = field(default=0.0)

    def lines(self, claims: int) -> Path:
        """A JSONL file of the next claims; each subject's start later than those it has."""
        path = self.shop.folder / "claims.jsonl"
        duckdb.connect().execute(
            f"""copy (
                select
                    struct_pack(
                        subject := 's' || (i * 7919 % {self.subjects}), predicate := 'p' || i % 3, object := 'o' || i,
                        confidence := (i % 100) / 100.0,
                        evidence := list_transform(
                            range(1 + i % 3),
                            lambda k: {{'table': 'events', 'run': 'seed', 'seq': (i * 31 + k) % {self.events}}}
                        )
                    ) as claim,
                    strftime(timestamp '2020-01-01' + to_seconds(i), '%Y-%m-%dT%H:%M:%SZ') as observed_at,
                from range({self.count}, {self.count + claims}) as t(i)
            ) to '{path}' (format json)"""
        )
        self.count += claims
        return path

    def store(self, claims: int) -> float:
        """Write the next claims through the command line; returns the seconds of the whole process."""
        path = self.lines(claims)
        seconds = self._timed(self.shop.command("memory", "write", "--into", "facts", "--from", str(path)))
        path.unlink()
        return seconds

    def batch(self, claims: int) -> tuple[float, float, float]:
        """Seconds to write the next claims onto those stored, and to copy the same file, plain and alike; whole
        processes all.
        """
        path = self.lines(claims)
        ours = self._timed(self.shop.command("memory", "write", "--into", "facts", "--from", str(path)))
        peak = self.peak_gigabytes
        plain, alike = (self._timed([sys.executable, "-c", COPY, str(path), laid]) for laid in ("plain", "alike"))
        self.peak_gigabytes = peak
        return ours, plain, alike

    def _timed(self, command: list[str]) -> float:
        begun = time.perf_counter()
        measured = [sys.executable, "-c", MEASURED, *command]
        said = subprocess.run(measured, env=self.shop.environment, stdout=subprocess.PIPE, text=True, check=True)
        self.peak_gigabytes = int(said.stdout) / 1e6
        return time.perf_counter() - begun


def single(shop: Workshop, claims: int) -> tuple[float, float]:
    """p50 seconds of one direct write in a warm process, and of a bare one-row insert under the same lock."""
    table = next(one for one in shop.tables if one.name == "facts")
    with Writer(shop.caller, table) as writer:
        ours = [_write(writer, number, claims) for number in range(REPEATS)]
        other = [_insert(writer, number) for number in range(REPEATS)]
    return statistics.median(ours), statistics.median(other)


def _write(writer: Writer, number: int, claims: int) -> float:
    # A predicate of its own: on a line of the others it would put the next batch out of order.
    claim = {
        "subject": f"s{number * 13 % max(claims // 10, 1)}",
        "predicate": "single",
        "object": f"one {time.time_ns()}",
    }
    evidence = [{"table": "events", "run": "seed", "seq": number}]
    text = json.dumps(claim | {"confidence": 0.5, "evidence": evidence})
    begun = time.perf_counter()
    revise.write_with(writer, revise.Claim(text), Provenance("curated", grant_id="local"))
    return time.perf_counter() - begun


def _insert(writer: Writer, number: int) -> float:
    """A claim's row as it would be stored, without any rule."""
    begun = time.perf_counter()
    with lake.commit(writer.con, writer.home, "bench") as work:
        work.touch("dated_facts")
        writer.con.execute(
            "insert into landing.main.dated_facts by name select ? as claim_id, 's' as subject, 'p0' as predicate, "
            "'one' as object, 'curated' as tier, 0.5 as confidence, make_timestamp(?)::timestamptz as valid_from, "
            "[{'table': 'events', 'run': 'seed', 'seq': ?, 'key_digest': null}] as evidence, 'local' as grant_id, "
            "make_timestamp_ns(?) as _ingested_at, ? as _run_id, 0 as _row_seq, 'operator' as _authored_by",
            [f"c-{number}", work.stamp, number, work.stamp * 1000, f"bench-{number}"],
        )
    return time.perf_counter() - begun


def build(shop: Workshop) -> float:
    """Seconds of `contextful build`, the whole process."""
    begun = time.perf_counter()
    said = shop.run("build")
    if said.returncode:
        raise SystemExit(said.stderr)
    return time.perf_counter() - begun


def slowest(shop: Workshop) -> str:
    """What the last build spent its time on, by dbt's own account."""
    results = json.loads((shop.folder / "home/dbt/target/run_results.json").read_text())
    longest = sorted(results["results"], key=lambda result: -result["execution_time"])[:3]
    parts = ", ".join(f"{one['unique_id'].split('.', 2)[2]} {one['execution_time']:.1f} s" for one in longest)
    return f"dbt {results['elapsed_time']:.1f} s: {parts}"
