"""A predictions table and the outcomes table that settles it, open for writing: the hands of both verbs' tests."""

import json
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from contextful_cli import declaration, settle
from contextful_cli.batches.report import Report
from contextful_cli.caller import local_operator
from contextful_cli.errors import ContextfulError
from contextful_cli.settings import Home
from contextful_cli.settlement.writer import Writer
from contextful_cli.tables import Table

# Given as a member's value, it leaves the member out.
ABSENT = ...
REGISTRATION = {
    "prediction_id": "p",
    "subject": "orion",
    "predicted_at": "2020-01-01T00:00:00Z",
    "horizon_secs": 3600,
    "resolution_source": "manual",
}
METRIC = {"resolution_source": "metric", "comparator": ">= 3.5", "metric": "prices:wheat"}
OBSERVATION = {
    "prediction_id": "p",
    "observed_at": "2020-01-01T00:30:00Z",
    "verdict": True,
    "resolution_source": "manual",
    "settling_citation": "https://example.org/ruling",
}
UNRULED = {"verdict": ABSENT, "resolution_source": ABSENT, "settling_citation": ABSENT}


def registration(**given: Any) -> str:
    """A registration as JSON: manual, to be settled within an hour, unless told otherwise."""
    return _line(REGISTRATION | given)


def observation(**given: Any) -> str:
    """An observation as JSON: somebody's verdict half an hour later, unless told otherwise."""
    return _line(OBSERVATION | given)


def _line(members: dict[str, Any]) -> str:
    return json.dumps({name: value for name, value in members.items() if value is not ABSENT})


def counts(report: Report) -> tuple[int, int, list[tuple[int, str]]]:
    """(landed, restated, refused as (line, identifier)); neither verb retires anything."""
    assert report.retired == 0
    return report.landed, report.restated, [(one.line, one.identifier) for one in report.refused]


class Books:
    """Both tables; `id` is the prediction that lines are about, unless told otherwise."""

    def __init__(self, home: Home, tables: list[Table], predictions: str = "bets", outcomes: str = "results") -> None:
        self.home, self.tables, self.id = home, tables, "p"
        self.caller = local_operator(home, tables)
        self.predictions = Writer(self.caller, settle.predictions_table(self.caller, predictions))
        self.outcomes = Writer(self.caller, settle.outcomes_table(self.caller, outcomes))

    def close(self) -> None:
        self.predictions.close()
        self.outcomes.close()

    def registration(self, **given: Any) -> str:
        """A registration of the prediction, as JSON."""
        return registration(**{"prediction_id": self.id} | given)

    def observation(self, **given: Any) -> str:
        """An observation of the prediction, as JSON."""
        return observation(**{"prediction_id": self.id} | given)

    def predict(self, **given: Any) -> bool:
        """Register; whether it landed."""
        answer = settle.predict_with(self.predictions, self.registration(**given))
        assert answer["prediction_id"] == given.get("prediction_id", self.id)
        return answer["landed"]

    def observe(self, **given: Any) -> dict[str, Any]:
        """Observe; the answer."""
        return settle.observe_with(self.outcomes, self.observation(**given))

    def refused_prediction(self, **given: Any) -> str:
        """The identifier that the registration is refused with; nothing is stored."""
        before = self.registered()
        with pytest.raises(ContextfulError) as refused:
            self.predict(**given)
        assert self.registered() == before
        return refused.value.identifier

    def refused_observation(self, **given: Any) -> str:
        """The identifier that the observation is refused with; nothing is stored."""
        before = self.observed()
        with pytest.raises(ContextfulError) as refused:
            self.observe(**given)
        assert self.observed() == before
        return refused.value.identifier

    def predict_all(self, *lines: str) -> Report:
        """Registrations in one commit."""
        self.predictions.stage(list(lines))
        return self.predictions.write()

    def observe_all(self, *lines: str) -> Report:
        """Observations in one commit."""
        self.outcomes.stage(list(lines))
        return self.outcomes.write()

    def registered(self, columns: str = "_run_id, _row_seq") -> list[tuple]:
        """Columns of what the predictions table holds of the prediction, in the order of commits."""
        return self._stored("all_predictions", self.predictions.table.name, columns)

    def observed(self, columns: str = "_run_id, _row_seq") -> list[tuple]:
        """The same of the outcomes table."""
        return self._stored("all_outcomes", self.outcomes.table.name, columns)

    def _stored(self, relation: str, table: str, columns: str) -> list[tuple]:
        return self.outcomes.con.execute(
            f"select {columns} from session.{relation} where _table = $1 and starts_with(prediction_id, $2) "
            "order by _ingested_at, _row_seq",
            [table, self.id],
        ).fetchall()


@contextmanager
def fresh(compiled: Home, root: Path) -> Iterator[Books]:
    """The tables in a home of their own, for all tests of a module."""
    shutil.copytree(compiled.root, root, ignore=shutil.ignore_patterns("published", "dbt", "warehouse.duckdb*"))
    home = Home(project=compiled.project, root=root)
    home.published.mkdir()
    books = Books(home, declaration.load(home.project))
    try:
        yield books
    finally:
        books.close()
