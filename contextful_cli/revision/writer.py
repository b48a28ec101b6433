"""One writer of a claims table: a session on its rows, in which lines are staged, decided and committed.

Every write takes this way, one line or a million: stage and parse the lines outside the lock; under it gather what is
stored on their tracks, decide, and insert. A track is a line's (subject, predicate, scope) as a number: what lands on
one never changes what another meets, so that all tracks are decided side by side, and each in the order of its lines.
"""

import uuid
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from contextful_cli import lake, pepper, session
from contextful_cli.settings import Home
from contextful_cli.shapes import CLAIMS, SHAPES

if TYPE_CHECKING:
    from contextful_cli.lake import Commit
    from contextful_cli.tables import Table

VERB = "memory write"
FUNCTIONS = (
    "claim_lines",
    "line_tracks",
    "cited_keys",
    "touched_versions",
    "touched_closures",
    "arrived_lines",
    "backward_lines",
    "still_open_tracks",
    "line_states",
    "restated_lines",
    "chained_lines",
    "ruled_lines",
    "retired_intervals",
    "new_versions",
    "new_closures",
    "landed_claims",
    "collision_letters",
    "refused_lines",
    "line_outcomes",
)


@dataclass(frozen=True, slots=True)
class Provenance:
    """What a claim records of how it was written: its tier, and the credential's part in it."""

    tier: str
    grant_id: str = "local"
    agent: str | None = None
    author: str | None = "operator"
    taint: str | None = None


@dataclass(frozen=True, slots=True)
class Refusal:
    """A line that was refused. line: its number, from 1."""

    line: int
    identifier: str
    message: str


@dataclass(frozen=True, slots=True)
class Outcome:
    """A line that was not refused: whether it landed, and its valid_from, or that of the claim it restates."""

    claim_id: str
    landed: bool
    valid_from: str


@dataclass
class Report:
    """What became of the lines. retired: intervals that a landed line has ended."""

    landed: int = 0
    restated: int = 0
    retired: int = 0
    refused: list[Refusal] = field(default_factory=list)

    def payload(self) -> dict[str, Any]:
        """The report as a program reads it."""
        return asdict(self)

    def add(self, later: "Report", lines_before: int) -> None:
        """Count a later commit in, whose lines are numbered from 1 again."""
        self.landed += later.landed
        self.restated += later.restated
        self.retired += later.retired
        self.refused += [Refusal(one.line + lines_before, one.identifier, one.message) for one in later.refused]


class Writer:
    """A session for writing into one claims table; it can write many times, as a server does."""

    def __init__(self, home: Home, tables: "list[Table]", table: "Table") -> None:
        self.home, self.table = home, table
        lake.lay_tables(home, tables)
        pepper.ensure(home)
        self.con = session.open_session(home, tables, claims=[table.name], writer=True)
        session.load_functions(self.con, home, *FUNCTIONS)
        pepper.set_variables(self.con, home)  # for the digests that land
        # Staging commits step by step on a connection of its own: a transaction writes to one database, here the lake.
        self.staging = self.con.cursor()
        self.staging.execute("set TimeZone = 'UTC'; use warehouse")

    def __enter__(self) -> "Writer":
        return self

    def __exit__(self, *_: object) -> None:
        self.staging.close()
        self.con.close()

    def stage(self, lines: list[str]) -> None:
        """Lay lines to write, each the JSON text {claim, observed_at?, valid_until?, dedup_key?}."""
        self._fill("raw", "select generate_subscripts($1, 1) as line_number, unnest($1::varchar[]) as line", [lines])

    def stage_file(self, path: Path, longest: int) -> None:
        """As `stage`, from a file of lines in UTF-8. longest: bytes of its longest line."""
        # Nothing is split, quoted or escaped: the delimiter is one that no JSON holds.
        read = (
            "from read_csv($1, columns = {line: 'varchar'}, auto_detect = false, header = false, quote = '', "
            f"escape = '', delim = e'\\x01\\x02\\x03\\x04', max_line_size = {max(longest + 1, 1 << 21)})"
        )
        self._fill("read_lines", read, [str(path)])
        self._fill("raw", "select rowid + 1 as line_number, line from pending.read_lines")
        self.staging.execute("drop table pending.read_lines")

    def stage_rows(self, relation: str, start: int, count: int) -> None:
        """As `stage`, from `count` lines after the first `start` of a staged relation (line_number, line)."""
        kept = f"from pending.{relation} where line_number between $1 + 1 and $1 + $2"
        self._fill("raw", f"select line_number - $1 as line_number, line {kept}", [start, count])

    def write(self, provenance: Provenance, *, is_batch: bool, run: str | None = None) -> Report:
        """Decide the staged lines and commit what lands, in one commit; what was refused is in the report."""
        run = run or f"w-{uuid.uuid4().hex}"
        self._parse()
        with lake.commit(self.con, self.home, VERB) as work:
            self._gather(work.stamp, is_batch)
            decide = self._decide_batch if is_batch else self._decide
            retired = decide(provenance.tier, work.stamp, run)
            report = self._report(retired)
            if report.landed:
                self._insert(work, run, provenance, is_batch)
        return report

    def outcomes(self) -> list[Outcome]:
        """Of the last write, in the order of its lines; those refused are left out."""
        return [Outcome(*row) for row in self.staging.execute("from revise.line_outcomes()").fetchall()]

    def _fill(self, name: str, query: str, parameters: list[Any] | None = None) -> None:
        self.staging.execute(f"create or replace table pending.{name} as {query}", parameters)

    def _add(self, name: str, query: str, parameters: list[Any] | None = None) -> None:
        self.staging.execute(f"insert into pending.{name} by name {query}", parameters)

    def _one(self, query: str) -> Any:
        (value,) = self.staging.execute(query).fetchone() or (None,)
        return value

    def _settle(self) -> None:
        self.staging.execute(
            "delete from pending.undecided where line_number in (select line_number from pending.decided)"
        )

    def _parse(self) -> None:
        column, zone = self._available()
        self._fill("lines", "from revise.claim_lines($1, $2)", [column, zone])
        self._fill("tracks", "from revise.line_tracks()")

    def available_columns(self) -> list[str]:
        """What a claim may carry besides the usual keys: the column of the table's available time, if it has one."""
        column, _ = self._available()
        return [column] if column else []

    def _available(self) -> tuple[str | None, str | None]:
        """The column of the table's available time and its zone; none where a canonical column serves as one."""
        declared = self.table.available_time
        if declared is None or declared.column in SHAPES[CLAIMS].columns:
            return None, None
        return declared.column, declared.zone

    def _gather(self, stamp: int, is_batch: bool) -> None:
        """Under the lock: what is stored on the lines' tracks, the keys they cite, and where each line starts."""
        self._fill("versions", "from revise.touched_versions($1)", [self.table.name])
        self._fill("closures", "from revise.touched_closures($1)", [self.table.name])
        self._fill("citations", "from revise.cited_keys()")
        self._fill("undecided", "from revise.arrived_lines($1, $2)", [stamp, int(is_batch)])
        self._fill("decided", "from revise.backward_lines()")
        self._settle()
        self.staging.execute("truncate pending.chained; truncate pending.ruled; truncate pending.states")
        self._fill("open_tracks", "from revise.still_open_tracks()")

    def _decide(self, tier: str, stamp: int, run: str) -> int:
        """A single line: the first of its track, hence decided in one round, and nothing asks what it has ended."""
        self._fill("states", "from revise.line_states()")
        self._fill("ruled", "from revise.ruled_lines($1)", [tier])
        self._add("decided", "from pending.ruled")
        self._add("closures", "from revise.new_closures($1, $2)", [stamp, run])
        return 0

    def _decide_batch(self, tier: str, stamp: int, run: str) -> int:
        """Rounds until no line is undecided. Returns how many intervals the lines that went through the rules ended."""
        retired = 0
        while self._one("select count(*) from pending.open_tracks"):
            self._fill("earlier_states", "from pending.states")
            self._fill("states", "from revise.line_states()")
            retired += self._one("from revise.retired_intervals()")
            self._add("decided", "from revise.restated_lines($1)", [tier])
            self._settle()
            self._fill("chained", "from revise.chained_lines($1)", [tier])
            self._fill("ruled", "from revise.ruled_lines($1)", [tier])
            self._add("decided", "from pending.chained union all from pending.ruled")
            self._add("versions", "from revise.new_versions($1, $2, $3)", [stamp, run, tier])
            self._add("closures", "from revise.new_closures($1, $2)", [stamp, run])
            self._settle()
            self._fill("open_tracks", "from revise.still_open_tracks()")
        return retired

    def _report(self, retired: int) -> Report:
        counts = dict(self.staging.execute("select outcome, count(*) from pending.decided group by outcome").fetchall())
        chained = self._one("select coalesce(sum(retired), 0)::bigint from pending.decided")
        refused = self.staging.execute("from revise.refused_lines()").fetchall()
        return Report(
            landed=counts.get("landed", 0),
            restated=counts.get("restated", 0),
            retired=retired + chained,
            refused=[Refusal(*row) for row in refused],
        )

    def _insert(self, work: "Commit", run: str, by: Provenance, is_batch: bool) -> None:
        column, _ = self._available()
        available = f', available_at as "{column}"' if column else ""
        claims = f"select * exclude (available_at){available} from revise.landed_claims($1, $2, $3, $4, $5, $6, $7)"
        self._land(work, "", claims, [work.stamp, run, by.tier, by.grant_id, by.agent, by.author, by.taint])
        if self._one("select count(*) from pending.decided where closes is not null"):
            closures = "select *, $2 as _authored_by from pending.closures where _run_id = $1"
            self._land(work, "_closures", closures, [run, by.author])
        if self._one("select count(*) from pending.decided where collides_with is not null"):
            letters = "from revise.collision_letters($1, $2, $3, $4)"
            self._land(work, "_letters", letters, [work.stamp, run, by.author, by.taint])
        if is_batch:
            work.mint(self._one("select max(line_number) from pending.raw"))

    def _land(self, work: "Commit", suffix: str, query: str, parameters: list[Any]) -> None:
        name = self.table.name + suffix
        work.touch(name)
        self.con.execute(f'insert into landing.main."{name}" by name {query}', parameters)
