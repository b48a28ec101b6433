"""What landed in a claims table since the published copy, kept by a writer from one single write to the next.

The copy does not change under a writer's session, and what came after it is small: so a write looks both up without a
question to the lake, which takes longer than all the rest. Only the commits of others are read, when there are any.
"""

from contextful_cli import duck
from contextful_cli.batches.staging import Staging

MOST_ROWS = 200_000  # some 50 MB; a longer tail is read from the lake each time


class Tail:
    """The tail of one table, in ``pending.tail``. A table that is not in the published copy has none."""

    def __init__(self, staging: Staging, table: str) -> None:
        self.staging, self.table = staging, duck.quoted(table)
        found = staging.rows("select stamp from pending.copied_tables where _table = $1", [table])
        self._copied = found[0][0] if found else None
        self._seen = self._copied  # ns; all rows after the copy and up to here are in the tail

    def catch_up(self, stored: int) -> bool:
        """Under the lock: take in what others have committed. stored: the table's last stamp (µs).

        False where copy and tail do not tell all, and the lake is to be read.
        """
        if self._copied is None:
            return False
        if stored * 1000 > self._seen:
            self.staging.add("tail", f"from revise.later_versions({self.table}, {self._seen})")
            self._seen = stored * 1000
        if self.staging.value("select count(*) from pending.tail") > MOST_ROWS:
            self.staging.clear("tail")
            self._copied = None
        return self._copied is not None

    def add_own(self, stamp: int) -> None:
        """After the commit of that stamp (µs): what it has landed."""
        if self._copied is not None:
            self.staging.add("tail", "from revise.own_versions()", prepared=True)
            self._seen = stamp * 1000
