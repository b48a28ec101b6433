"""Rows placed into the lake as they are, past the rules of landing and writing: what a read must make of them."""

import itertools
import json
from typing import Any

from contextful_cli import lake
from contextful_cli.settings import Home

EVIDENCE = 'struct("table" varchar, run varchar, seq bigint, key_digest varchar)[]'
CLAIM = {
    "claim_id": "varchar",
    "subject": "varchar",
    "predicate": "varchar",
    "object": "varchar",
    "scope": "varchar",
    "tier": "varchar",
    "confidence": "double",
    "valid_from": "timestamptz",
    "valid_to": "timestamptz",
    "evidence": f"json::{EVIDENCE}",
    "grant_id": "varchar",
}
Citation = tuple[Any, ...]


def cited(*citations: Citation | None) -> list[dict[str, Any] | None]:
    """Evidence from tuples (table, run, seq) or (table, run, seq, key_digest); None for a null among them."""
    names = ("table", "run", "seq", "key_digest")
    return [dict(zip(names, (*one, None)[:4], strict=True)) if one is not None else None for one in citations]


class Placed:
    """A lake to place rows in. Each call is one commit and returns its stamp in µs."""

    def __init__(self, home: Home) -> None:
        self.home = home
        self.con = lake.open_lake(home, read_only=False)
        self.runs = (f"w{number}" for number in itertools.count())

    def close(self) -> None:
        self.con.close()

    def rows(self, table: str, run: str, count: int = 1, **columns: str) -> int:
        """`count` source rows; a column's SQL may use `i`, the row's number from 0."""
        values = "".join(f', {sql} as "{name}"' for name, sql in columns.items())
        sql = f"select i as _row_seq, '{run}' as _run_id{values} from range({count}) as t(i)"
        return self._commit(table, sql)

    def claim(self, table: str = "facts", **given: Any) -> int:
        """A claim about `orion`, valid from 2026-01-01 on, resting on event e:0 unless told otherwise."""
        values = {
            "claim_id": "c-1",
            "subject": "orion",
            "predicate": "lead",
            "object": "Mira",
            "tier": "curated",
            "confidence": 0.9,
            "valid_from": "2026-01-01T00:00:00Z",
            "evidence": cited(("events", "e", 0)),
            "grant_id": "local",
        } | given
        values["evidence"] = json.dumps(values["evidence"])  # thousands of citations bind slowly one by one
        casts = CLAIM | {"known_at": "timestamptz"}
        columns = ", ".join(f'${name}::{casts[name]} as "{name}"' for name in values)
        return self._commit(table, f"select {columns}, '{next(self.runs)}' as _run_id, 0 as _row_seq", values)

    def closure(self, claim_id: str, valid_from: str, closed_at: str | None, table: str = "facts") -> int:
        """An expiry, or, closed_at None, a retraction."""
        values = {"claim_id": claim_id, "valid_from": valid_from, "closed_at": closed_at}
        columns = "$claim_id as claim_id, $valid_from::timestamptz as valid_from, $closed_at::timestamptz as closed_at"
        sql = f"select {columns}, 'said so' as reason, '{next(self.runs)}' as _run_id, 0 as _row_seq"
        return self._commit(f"{table}_closures", sql, values)

    def gone(self, table: str, run: str, seq: int) -> None:
        """A row taken out, as an erasure does."""
        with lake.commit(self.con, self.home, "test") as work:
            work.touch(table)
            self.con.execute(f"delete from landing.main.{table} where _run_id = ? and _row_seq = ?", [run, seq])

    def _commit(self, table: str, select: str, values: dict[str, Any] | None = None) -> int:
        with lake.commit(self.con, self.home, "test") as work:
            work.touch(table)
            stamp = f"make_timestamp_ns({work.stamp * 1000}) as _ingested_at"
            self.con.execute(f"insert into landing.main.{table} by name select *, {stamp} from ({select})", values)
        return work.stamp
