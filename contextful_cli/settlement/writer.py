"""One writer of a predictions or outcomes table: a session on its rows, in which lines are staged, decided, committed.

Every write takes this way, one line or a million: parse and check the lines outside the lock; under it gather what is
stored of the predictions they name, decide all lines at once, and insert.
"""

import uuid
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from contextful_cli import duck, lake, layout, session
from contextful_cli.batches import lines as batch_lines
from contextful_cli.batches.report import Refusal, Report
from contextful_cli.batches.staging import Staging

if TYPE_CHECKING:
    from contextful_cli.caller import Caller
    from contextful_cli.lake import Commit
    from contextful_cli.tables import Table

THIS_COMMIT = "select $1 as stamp, $2 as run, $3 as author"
LABEL = ("prediction_id", "subject", "resolution_source", "verdict", "signal", "settling_citation", "lead_time_s")


@dataclass(frozen=True, slots=True)
class Steps:
    """A verb and the functions of models/settle that are its own: parse and check, decide, and what lands."""

    verb: str
    lines: str
    ruled: str
    landed: str


STEPS = {
    "predictions": Steps("memory predict", "registration_lines", "ruled_registrations", "landed_registrations"),
    "outcomes": Steps("memory observe", "observation_lines", "ruled_observations", "landed_observations"),
}
FUNCTIONS = ("stored_registrations", "stored_observations", "ruling_counts", "refused_rulings", "told_label")


class Writer:
    """A session for writing into one table; it can write many times, as a server does.

    table: one of predictions, or one of outcomes that declares whose predictions it settles.
    """

    def __init__(self, caller: "Caller", table: "Table") -> None:
        self.home, self.table, self.steps = caller.home, table, STEPS[table.shape or ""]
        # rule: settle.verb-attribution
        self.author = caller.credential.on_behalf_of
        self.predictions = table.predictions or table.name
        layout.lay_tables(caller.home, caller.tables)
        self.con = session.open_session(caller, shaped=[table.name, self.predictions], writer=True)
        session.load_functions(self.con, caller.home, self.steps.lines, self.steps.ruled, self.steps.landed, *FUNCTIONS)
        self.staging = Staging(self.con)

    def __enter__(self) -> "Writer":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """End the session."""
        self.staging.close()
        self.con.close()

    def stage(self, lines: list[str]) -> None:
        """Lay lines to write, each the JSON text of a registration or an observation."""
        batch_lines.stage(self.staging, lines)

    def write(self) -> Report:
        """Decide the staged lines and commit what lands, in one commit; what was refused is in the report."""
        self.staging.fill(self.steps.lines, f"from settle.{self.steps.lines}({self._available()})")
        with lake.commit(self.con, self.home, self.steps.verb) as work:
            self.staging.fill("this_commit", THIS_COMMIT, [work.stamp, f"w-{uuid.uuid4().hex}", self.author])
            self._decide()
            lines, landed, restated = self.staging.rows("from settle.ruling_counts()")[0]
            if landed:
                self._insert(work)
        refused = self.staging.rows("from settle.refused_rulings()") if landed + restated < lines else []
        return Report(landed, restated, refused=[Refusal(*row) for row in refused])

    def label(self) -> dict[str, Any]:
        """The label that the one observation written gives, or {label: None, reason} where it gives none."""
        ((reason, *label),) = self.staging.rows(
            f"select unlabelled_because, {', '.join(LABEL)} from settle.told_label()"
        )
        return dict(zip(LABEL, label, strict=True)) if reason is None else {"label": None, "reason": reason}

    def _available(self) -> str:
        columns = self.table.available_columns
        return ", ".join(duck.quoted(text) for text in (*columns, self.table.available_time.zone)) if columns else ""

    def _decide(self) -> None:
        """Under the lock: what is stored of the predictions at hand, and what becomes of each line."""
        predictions, own = duck.quoted(self.predictions), duck.quoted(self.table.name)
        self.staging.fill("registrations", f"from settle.stored_registrations({predictions})")
        if self.table.predictions is None:
            self.staging.fill("rulings", f"from settle.{self.steps.ruled}()")
            return
        self.staging.fill("observations", f"from settle.stored_observations({own})")
        self.staging.fill("rulings", f"from settle.{self.steps.ruled}({predictions})")

    def _insert(self, work: "Commit") -> None:
        work.touch(self.table.name)
        available = "".join(f', available_at as "{column}"' for column in self.table.available_columns)
        self.con.execute(
            f'insert into landing.main."{self.table.name}" by name '
            f"select * exclude (available_at){available} from settle.{self.steps.landed}()"
        )
