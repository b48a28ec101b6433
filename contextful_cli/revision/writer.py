"""One writer of a claims table: a session on its rows, in which lines are staged, decided and committed.

Every write takes this way, one line or a million: stage and parse the lines outside the lock; under it gather what is
stored on their tracks, decide, and insert. A track is a line's (subject, predicate, scope) as a number: what lands on
one never changes what another meets, so that all tracks are decided side by side, and each in the order of its lines.
"""

import uuid
from dataclasses import dataclass
from typing import TYPE_CHECKING

from contextful_cli import clock, duck, lake, layout, pepper, session
from contextful_cli.batches import lines as batch_lines
from contextful_cli.batches.report import Refusal, Report
from contextful_cli.batches.staging import Staging
from contextful_cli.revision.tail import Tail

if TYPE_CHECKING:
    from contextful_cli.caller import Caller
    from contextful_cli.credentials.credential import Credential
    from contextful_cli.lake import Commit
    from contextful_cli.tables import Table

VERB = "memory write"
THIS_COMMIT = """select $1 as stamp, $2 as run, $3 as lines_apart, $4 as tier, $5 as grant_id, $6 as agent,
    $7 as author, $8 as taint"""
FUNCTIONS = (
    "batch_taint",
    "claim_lines",
    "line_tracks",
    "keyed_citations",
    "cited_keys",
    "touched_versions",
    "touched_copied_versions",
    "later_versions",
    "own_versions",
    "touched_closures",
    "arrived_lines",
    "backward_lines",
    "still_open_tracks",
    "line_states",
    "restated_lines",
    "chained_lines",
    "solitary_lines",
    "ruled_lines",
    "retired_intervals",
    "new_versions",
    "new_closures",
    "landed_claims",
    "landed_closures",
    "collision_letters",
    "decided_counts",
    "refused_lines",
    "line_outcomes",
)


@dataclass(frozen=True, slots=True)
class Provenance:
    """What a claim records of how it was written: its tier, and the credential's part in it."""

    tier: str
    grant_id: str
    agent: str | None = None
    author: str | None = None
    taint: str | None = None

    @classmethod
    def of(cls, credential: "Credential", tier: str, taint: str | None = None) -> "Provenance":
        """What a claim of that tier, written under this credential, records of it."""
        # rule: synthesize.attribution
        return cls(tier, credential.grant_id, credential.agent, credential.on_behalf_of, taint)


@dataclass(frozen=True, slots=True)
class Outcome:
    """A line that was not refused: whether it landed, and its valid_from, or that of the claim it restates."""

    claim_id: str
    landed: bool
    valid_from: str


class Writer:
    """A session for writing into one claims table; it can write many times, as a server does."""

    def __init__(self, caller: "Caller", table: "Table") -> None:
        self.home, self.table = caller.home, table
        layout.lay_tables(caller.home, caller.tables)
        pepper.ensure(caller.home, caller.tables)
        self.con = session.open_session(caller, shaped=[table.name], writer=True)
        session.load_functions(self.con, caller.home, *FUNCTIONS)
        pepper.set_variables(self.con, caller.home)  # for the digests that land
        self.staging = Staging(self.con)
        self.tail = Tail(self.staging, table.name)

    def __enter__(self) -> "Writer":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """End the session."""
        self.staging.close()
        self.con.close()

    def stage(self, lines: list[str]) -> None:
        """Lay lines to write, each the JSON text {claim, observed_at?, valid_until?, dedup_key?}."""
        batch_lines.stage(self.staging, lines)

    def write(self, by: Provenance, *, is_batch: bool, run: str | None = None) -> Report:
        """Decide the staged lines and commit what lands, in one commit; what was refused is in the report.

        is_batch: lines without an own instant stand a microsecond apart; one that is no batch takes the commit's stamp.
        """
        self.staging.plan(is_kept=not is_batch)
        self._parse(is_batch)
        with lake.commit(self.con, self.home, VERB) as work:
            facts = [work.stamp, run or f"w-{uuid.uuid4().hex}", int(is_batch)]
            facts += [by.tier, by.grant_id, by.agent, by.author, by.taint]
            self.staging.fill("this_commit", THIS_COMMIT, facts)
            self._gather(is_batch)
            retired = self._decide_batch(by.tier) if is_batch else self._decide(by.tier)
            lines, landed, restated, chained, *beside = self.staging.rows("from revise.decided_counts()")[0]
            if landed:
                self._insert(work, is_batch, *beside)
        if landed and not is_batch:
            self.tail.add_own(work.stamp)
        refused = self.staging.rows("from revise.refused_lines()") if landed + restated < lines else []
        return Report(landed, restated, retired + chained, [Refusal(*row) for row in refused])

    def taint_of(self, batch: list[tuple[str, str, int]]) -> str | None:
        """The least trusted label of some source rows, each (table, run, seq); None of none."""
        rows = [{"table": table, "run": run, "seq": seq} for table, run, seq in batch]
        return self.staging.rows("from revise.batch_taint($1)", [rows])[0][0]

    def outcomes(self) -> list[Outcome]:
        """Of the last write, in the order of its lines; those refused are left out."""
        return [Outcome(*row) for row in self.staging.rows("from revise.line_outcomes()")]

    def _parse(self, is_batch: bool) -> None:
        """Outside the lock: the lines' form, ids and tracks, and which of their citations have a key."""
        columns = self.table.available_columns
        given = [self.table.name, *columns, *([self.table.available_time.zone] if columns else [])]
        arguments = ", ".join(duck.quoted(text) for text in given)
        self._fill("lines", f"from revise.claim_lines({arguments})", is_batch)
        if is_batch:
            self.staging.lay("raw", "from pending.raw limit 0")  # gives the memory back, where a truncate would not
        self._fill("tracks", "from revise.line_tracks()", is_batch)
        self._fill("cited", "from revise.keyed_citations()", is_batch)

    def _gather(self, is_batch: bool) -> None:
        """Under the lock: what is stored on the lines' tracks, the keys they cite, and where each line starts."""
        self.staging.clear("closures", "cited_keys", "states", "chained", "ruled")
        self._gather_stored(is_batch)
        if self._has("cited"):
            self.staging.fill("cited_keys", "from revise.cited_keys()")
        self._fill("undecided", "from revise.arrived_lines()", is_batch)
        self._fill("decided", "from revise.backward_lines()", is_batch)
        self._fill("open_tracks", "from revise.still_open_tracks()", is_batch)
        self.staging.settle()

    def _gather_stored(self, is_batch: bool) -> None:
        table, stamps = duck.quoted(self.table.name), clock.read(self.home).tables
        # What reads the lake is never prepared: every commit changes the lake's catalog, and so the plan.
        if not is_batch and self.tail.catch_up(stamps.get(self.table.name, 0)):
            self._fill("versions", f"from revise.touched_copied_versions({table})", is_batch)
        else:
            self.staging.fill("versions", f"from revise.touched_versions({table})")
        if stamps.get(f"{self.table.name}_closures"):  # else nothing was ever closed
            self.staging.fill("closures", f"from revise.touched_closures({table})")

    def _decide(self, tier: str) -> int:
        """A single line: the first of its track, hence decided in one round, and nothing asks what it has ended."""
        self._fill("states", "from revise.line_states()", False)
        self._fill("ruled", f"from revise.ruled_lines({duck.quoted(tier)})", False)
        self._add("decided", "from pending.ruled", False)
        self._add("closures", "from revise.new_closures()", False)
        return 0

    def _decide_batch(self, tier: str) -> int:
        """Rounds until no line is undecided. Returns how many intervals the lines that went through the rules ended."""
        retired, rank = 0, duck.quoted(tier)
        while self._has("open_tracks"):
            self._fill("earlier_states", "from pending.states", True)
            self._fill("states", "from revise.line_states()", True)
            retired += self.staging.value("from revise.retired_intervals()")
            self._add("decided", f"from revise.restated_lines({rank})", True)
            self.staging.settle()
            self._fill("chained", f"from revise.chained_lines({rank})", True)
            self._add("chained", "from revise.solitary_lines()", True)
            self._fill("ruled", f"from revise.ruled_lines({rank})", True)
            self._add("decided", "from pending.chained union all from pending.ruled", True)
            self._fill("open_tracks", "from revise.still_open_tracks()", True)
            self._add("versions", "from revise.new_versions()", True)
            self._add("closures", "from revise.new_closures()", True)
            self.staging.settle()
        return retired

    def _insert(self, work: "Commit", is_batch: bool, has_closures: bool, has_letters: bool) -> None:
        available = "".join(f', available_at as "{column}"' for column in self.table.available_columns)
        self._land(work, "", f"select * exclude (available_at){available} from revise.landed_claims()")
        if has_closures:
            self._land(work, "_closures", "from revise.landed_closures()")
        if has_letters:
            self._land(work, "_letters", "from revise.collision_letters()")
        if is_batch:
            work.mint(self.staging.value("select max(line_number) from pending.lines"))

    def _land(self, work: "Commit", suffix: str, query: str) -> None:
        name = self.table.name + suffix
        work.touch(name)
        self.con.execute(f'insert into landing.main."{name}" by name {query}')

    def _fill(self, table: str, query: str, is_batch: bool) -> None:
        self.staging.fill(table, query, prepared=not is_batch)

    def _add(self, table: str, query: str, is_batch: bool) -> None:
        self.staging.add(table, query, prepared=not is_batch)

    def _has(self, rows: str) -> bool:
        return bool(self.staging.rows(f"select 1 from pending.{rows} limit 1"))
