"""Ending claims: an expiry says until when one held, a retraction that it never did. Stored rows stay as they are."""

import uuid
from contextlib import closing
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from contextful_cli import duck, instants, lake, layout, session
from contextful_cli.batches.staging import Staging
from contextful_cli.errors import ContextfulError

if TYPE_CHECKING:
    import duckdb

    from contextful_cli.caller import Caller
    from contextful_cli.tables import Table

FUNCTIONS = (
    "claim_tracks",
    "touched_versions",
    "touched_closures",
    "line_states",
    "closable_key",
)


@dataclass(frozen=True, slots=True)
class Ending:
    """What to end. closed_at: the end in µs, None for a retraction. valid_from: the start, in µs, of the one meant."""

    claim_id: str
    reason: str
    closed_at: int | None = None
    valid_from: int | None = None


def end(caller: "Caller", name: str, ending: Ending) -> dict[str, Any]:
    """Store the closure; returns {claim_id, valid_from, closed_at, reason}.

    Raises GrantWriteNotCovered or TableShapeRefused for the table, ClaimUnknown where no interval of the claim matches,
    ArgumentMalformed where the end does not lie after the start.
    """
    table = _claims_table(caller, name)
    layout.lay_tables(caller.home, caller.tables)
    con = open_session(caller, table)
    try:
        return end_in(con, caller, table, ending)
    finally:
        con.close()


def open_session(caller: "Caller", table: "Table") -> "duckdb.DuckDBPyConnection":
    """A session in which claims of the table can be ended, any number of them."""
    con = session.open_session(caller, shaped=[table.name], writer=True)
    session.load_functions(con, caller.home, *FUNCTIONS)
    return con


def end_in(con: "duckdb.DuckDBPyConnection", caller: "Caller", table: "Table", ending: Ending) -> dict[str, Any]:
    """As `end`, in an open session."""
    with lake.commit(con, caller.home, f"memory {'retract' if ending.closed_at is None else 'expire'}") as work:
        start = _start(con, table, ending)
        work.touch(f"{table.name}_closures")
        _insert(con, table, ending, [start, work.stamp], caller.credential.on_behalf_of)
    return {
        "claim_id": ending.claim_id,
        "valid_from": _timestamp(start),
        "closed_at": _timestamp(ending.closed_at),
        "reason": ending.reason,
    }


def _claims_table(caller: "Caller", name: str) -> "Table":
    table = caller.claims_to_write(name)
    if not table.is_claims:
        raise ContextfulError("TableShapeRefused", f"{name} holds {table.shape or 'source rows'}, no claims to end")
    return table


def _start(con: "duckdb.DuckDBPyConnection", table: "Table", ending: Ending) -> int:
    """The start, in µs, of the interval to end, as the window stands under the lock."""
    with closing(Staging(con)) as staging:
        _gather(staging, duck.quoted(table.name), ending.claim_id)
        named = [ending.claim_id, _timestamp(ending.valid_from), _timestamp(ending.closed_at)]
        found = staging.rows("select epoch_us(valid_from) from revise.closable_key($1, $2, $3)", named)
    if not found:
        raise ContextfulError("ClaimUnknown", _unknown(table.name, ending))
    (start,) = found[0]
    if ending.closed_at is not None and ending.closed_at <= start:
        message = f"--at must lie after {instants.format_us(start)}, where the interval starts"
        raise ContextfulError("ArgumentMalformed", message)
    return start


def _gather(staging: Staging, table: str, claim_id: str) -> None:
    """The windows of the claim's line, whole: what ends one interval may be another claim."""
    staging.fill("tracks", f"from revise.claim_tracks({table}, $1)", [claim_id])
    staging.fill("versions", f"from revise.touched_versions({table})")
    staging.fill("closures", f"from revise.touched_closures({table})")
    staging.fill("open_tracks", "select track from pending.tracks")
    staging.fill("states", "from revise.line_states()")


def _timestamp(us: int | None) -> str | None:
    return None if us is None else instants.format_us(us)


def _unknown(table: str, ending: Ending) -> str:
    if ending.valid_from is not None:
        which = f"no interval of {ending.claim_id} that starts at {instants.format_us(ending.valid_from)}"
    elif ending.closed_at is not None:
        which = f"no interval of {ending.claim_id} that contains {instants.format_us(ending.closed_at)}"
    else:
        which = f"no interval of {ending.claim_id}"
    return f"{table} holds {which}, retracted ones aside; `contextful memory why` shows what it holds"


def _insert(
    con: "duckdb.DuckDBPyConnection", table: "Table", ending: Ending, at: list[int], author: str | None
) -> None:
    """at: the start of the interval and the commit's stamp, both in µs."""
    start, stamp = at
    con.execute(
        f'insert into landing.main."{table.name}_closures" by name '
        "select $1 as claim_id, $2::timestamptz as valid_from, $3::timestamptz as closed_at, $4 as reason, "
        "make_timestamp_ns($5) as _ingested_at, $6 as _run_id, 0 as _row_seq, $7 as _authored_by",
        [
            ending.claim_id,
            _timestamp(start),
            _timestamp(ending.closed_at),
            ending.reason,
            stamp * 1000,
            f"w-{uuid.uuid4().hex}",
            author,
        ],
    )
