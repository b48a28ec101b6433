"""Forecasts to be judged, put straight into the tables of the test project: the hands of the tests of calibration."""

import shutil
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import duckdb

from contextful_cli import declaration, lake, session
from contextful_cli.caller import local_operator
from contextful_cli.settings import Home

DAY = "2020-01-01"
PREDICTED, DEADLINE, OBSERVED = f"{DAY}T00:00:00Z", f"{DAY}T12:00:00Z", f"{DAY}T06:00:00Z"
NOW = "2024-01-01T00:00:00Z"


@dataclass(frozen=True)
class Forecast:
    """A claim, the prediction it makes and what came of it.

    score: the claim's confidence, None: no claim. verdict: None for an observation without one. observed_at: None: no
    observation. deadline_at: None for an open watch.
    """

    score: float | None
    verdict: bool | None = True
    name: str | None = None
    predicate: str = "wins"
    predicted_at: str = PREDICTED
    deadline_at: str | None = DEADLINE
    observed_at: str | None = OBSERVED
    signal: str | None = None


# A claim, its registration and its observation by number; a name sorts as the numbers do.
GIVEN = """
create or replace temp table given as
select
    unnest(?::varchar[]) as id, unnest(?::varchar[])::double as score, unnest(?::boolean[]) as verdict,
    unnest(?::varchar[]) as predicate, unnest(?::timestamptz[]) as predicted_at,
    unnest(?::timestamptz[]) as deadline_at, unnest(?::timestamptz[]) as observed_at, unnest(?::varchar[]) as signal,
    generate_subscripts(?::varchar[], 1) as _row_seq
"""
LANDED = "'given' as _run_id, _row_seq, make_timestamp_ns({stamp}) as _ingested_at"
CLAIMS = f"""
select
    id as claim_id, 'orion' as subject, predicate, 'home' as "object", 'curated' as tier, score as confidence,
    predicted_at as valid_from,
    [struct_pack("table" := 'events', run := 'seed', seq := 0::bigint, key_digest := null::varchar)] as evidence,
    'operator' as grant_id, {LANDED}
from given where score is not null
"""
REGISTRATIONS = f"""
select
    id as prediction_id, 'orion' as subject, predicted_at, deadline_at, deadline_at is null as watch,
    'manual' as resolution_source, {LANDED}
from given
"""
OBSERVATIONS = f"""
select
    id as prediction_id, observed_at, verdict, 'manual' as resolution_source, signal,
    'https://example.org' as settling_citation, {LANDED}
from given where observed_at is not null
"""
TABLES = {"odds": CLAIMS, "bets": REGISTRATIONS, "results": OBSERVATIONS}
VIEWS = {"all_memory_facts": "odds", "all_predictions": "bets", "all_outcomes": "results"}


def stage(con: duckdb.DuckDBPyConnection, forecasts: Iterable[Forecast]) -> None:
    """Lay the forecasts into the temporary table `given`, one by one under ids in this order."""
    rows = [(one.name or f"p-{number:06d}", one) for number, one in enumerate(forecasts)]
    fields = ("score", "verdict", "predicate", "predicted_at", "deadline_at", "observed_at", "signal")
    names = [name for name, _ in rows]
    given = [[getattr(one, field) for _, one in rows] for field in fields]
    given[0] = [None if score is None else repr(score) for score in given[0]]  # bound as a float, NaN would be null
    con.execute(GIVEN, [names, *given, names])


def land(home: Home, *forecasts: Forecast) -> None:
    """Forecasts into the lake, in one commit."""
    con = lake.open_lake(home, read_only=False)
    with lake.commit(con, home, "test") as work:
        stage(con, forecasts)
        for table, sql in TABLES.items():
            work.touch(table)
            con.execute(f"insert into landing.main.{table} by name {sql.format(stamp=work.stamp * 1000)}")
    con.close()


class Desk:
    """A session whose forecasts are laid anew for each report: nothing is committed."""

    def __init__(self, home: Home) -> None:
        caller = local_operator(home, declaration.load(home.project))
        self.con = session.open_session(caller, shaped=list(TABLES))
        session.load_functions(self.con, home, "calibration_report", "fitted_maps")
        stage(self.con, [])
        for view, table in VIEWS.items():
            landed = f"select '{table}' as _table, false as has_availability, * from ({TABLES[table].format(stamp=0)})"
            self.con.execute(f"create table {view}_shape as select * from session.{view} where false")
            self.con.execute(
                f"create or replace temp view {view}_given as from {view}_shape union all by name {landed}"
            )
            self.con.execute(f"create or replace view session.{view} as from temp.{view}_given")

    def rows(self, forecasts: Iterable[Forecast], since: str | None = None, until: str | None = None) -> list[dict]:
        """The rows of the report's function."""
        stage(self.con, forecasts)
        return self._rows("calibrate.calibration_report('odds', $1, $2, $3)", [since, until, NOW])

    def group(self, forecasts: Iterable[Forecast]) -> dict[str, Any]:
        """The only group."""
        (row,) = self.rows(forecasts)
        return row

    def maps(self, forecasts: Iterable[Forecast]) -> list[dict]:
        """The steps that recall would serve."""
        stage(self.con, forecasts)
        return self._rows("calibrate.fitted_maps('odds')", [])

    def _rows(self, call: str, arguments: list[Any]) -> list[dict]:
        result = self.con.execute(f"from {call}", arguments)
        names = [column[0] for column in result.description]
        return [dict(zip(names, row, strict=True)) for row in result.fetchall()]


@contextmanager
def opened(compiled: Home, root: Path) -> Iterator[Desk]:
    """A desk over an empty home of its own."""
    shutil.copytree(compiled.root, root, ignore=shutil.ignore_patterns("published", "dbt", "warehouse.duckdb*"))
    home = Home(project=compiled.project, root=root)
    home.published.mkdir()
    desk = Desk(home)
    try:
        yield desk
    finally:
        desk.con.close()
