"""The ledger's entries, filtered, newest first; DuckDB reads the segments as they lie."""

from dataclasses import dataclass
from typing import Any

from contextful_cli import instants
from contextful_cli.ledger import seals
from contextful_cli.ledger.entry import CLAIMS
from contextful_cli.ledger.folder import Folder
from contextful_cli.settings import Home

COLUMNS = {
    "seq": "bigint",
    "at": "varchar",
    "face": "varchar",
    "tool": "varchar",
    "table": "varchar",
    "outcome": "varchar",
    "grant_id": "varchar",
    "chain": "varchar[]",
    "on_behalf_of": "varchar",
    "agent": "varchar",
    "task": "varchar",
    "host": "varchar",
    "observed_at": "varchar",
    "as_of_ingest": "varchar",
    "available_as_of": "varchar",
    "rows": "bigint",
    CLAIMS: "varchar[]",
    "hash": "varchar",
}

# `at` is a text of one width, so that its order is that of time. A torn line, or one being written, is a row of nulls.
LISTING = f"""
select * from read_json($files, format = 'newline_delimited', columns = {COLUMNS}, ignore_errors = true)
where seq is not null
    and "table" is not distinct from coalesce($table, "table")
    and ($claim_id is null or list_contains("{CLAIMS}", $claim_id))
    and grant_id is not distinct from coalesce($grant_id, grant_id)
    and on_behalf_of is not distinct from coalesce($on_behalf_of, on_behalf_of)
    and outcome = coalesce($outcome, outcome)
    and "at" between coalesce($since, "at") and coalesce($until, "at")
order by seq desc
limit $rows
"""


@dataclass(frozen=True, slots=True)
class Filter:
    """What to list; None means all. since, until: instants or dates as the caller wrote them, both inclusive."""

    table: str | None = None
    claim_id: str | None = None
    grant_id: str | None = None
    on_behalf_of: str | None = None
    outcome: str | None = None
    since: str | None = None
    until: str | None = None


def entries(home: Home, wanted: Filter, limit: int) -> dict[str, Any]:
    """{"entries": the newest `limit` that match, as they were recorded, "truncated": whether there are more}."""
    import duckdb

    asked = _parameters(wanted)
    if not (files := _files(Folder(home.audit))):
        return {"entries": [], "truncated": False}
    found = duckdb.connect().execute(LISTING, {"files": files, "rows": limit + 1} | asked)
    names = [column[0] for column in found.description]
    rows = [dict(zip(names, row, strict=True)) for row in found.fetchall()]
    return {"entries": rows[:limit], "truncated": len(rows) > limit}


def _files(folder: Folder) -> list[str]:
    dropped = seals.read(folder).dropped
    return [str(folder.segment(number)) for number in folder.segments() if number not in dropped]


def _parameters(wanted: Filter) -> dict[str, str | None]:
    since = wanted.since and instants.since("since", wanted.since)
    until = wanted.until and instants.valid_bound("until", wanted.until)
    return {
        "table": wanted.table,
        "claim_id": wanted.claim_id,
        "grant_id": wanted.grant_id,
        "on_behalf_of": wanted.on_behalf_of,
        "outcome": wanted.outcome,
        # `at` holds µs: the first whole one that is not before the bound.
        "since": since and instants.format_us(-(-since.ns // instants.US_NS)),
        "until": until and instants.format_us(until.us),
    }
