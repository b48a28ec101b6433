"""What a declared table is: its columns and its `config.meta.contextful`."""

import re
from dataclasses import dataclass, field
from typing import Annotated, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field

from contextful_cli.shapes import CLAIMS, ENGINE_COLUMNS, SHAPES, SIDE_TABLES

Trust = Literal["operator", "ingested:first-party", "ingested:third-party"]

_DURATION = re.compile(r"([1-9][0-9]{0,6})([smhdw])")
_SECONDS = {"s": 1, "m": 60, "h": 3600, "d": 86400, "w": 604800}


def _duration(value: object) -> int:
    match = _DURATION.fullmatch(value) if isinstance(value, str) else None
    if match is None:
        raise ValueError("write a duration as a whole number and s, m, h, d or w, such as 90d")
    return int(match[1]) * _SECONDS[match[2]]


Duration = Annotated[int, BeforeValidator(_duration)]


class AvailableTime(BaseModel):
    """When the source became available.

    zone: reads texts without an offset. content_hash_column: tells two vintages of a row apart.
    """

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)
    column: str
    zone: str = "UTC"
    content_hash_column: str | None = None


class Declared(BaseModel):
    """`config.meta.contextful` of a table. Durations are seconds once read."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)
    shape: str | None = None
    key: list[str] = []
    observed_at: str | None = None
    subject_column: str | None = None
    available_time: AvailableTime | None = None
    trust: Trust = "ingested:third-party"
    max_rows: Annotated[int, Field(gt=0, lt=2**63)] | None = None
    decay_half_life: Duration | None = None
    time_to_live: Duration | None = None
    labels: str | None = None
    predictions: str | None = None


@dataclass(frozen=True, slots=True)
class Table:
    """A declared table.

    columns: the declared ones, name to normalised DuckDB type, in order. file: relative to the project folder.
    """

    name: str
    file: str
    position: int
    columns: dict[str, str]
    declared: Declared = field(default_factory=Declared)

    @property
    def label(self) -> str:
        """How messages name it."""
        return f"{self.file}: table `{self.name}`"

    @property
    def shape(self) -> str | None:
        """The shape's name; None for a source table."""
        return self.declared.shape

    @property
    def is_claims(self) -> bool:
        """Whether the table holds claims, and so has side tables."""
        return self.shape == CLAIMS

    @property
    def key(self) -> list[str]:
        """The key columns: the shape's, or the declared ones of a source table; empty for an unkeyed one."""
        return list(SHAPES[self.shape].key) if self.shape in SHAPES else self.declared.key

    @property
    def observed_at(self) -> str | None:
        """The source's own time column."""
        return self.declared.observed_at

    @property
    def subject_column(self) -> str | None:
        """The column that names whom a row is about; without one nothing can be erased."""
        return self.declared.subject_column

    @property
    def available_time(self) -> AvailableTime | None:
        """When a row became available, where the table says so."""
        return self.declared.available_time

    @property
    def trust(self) -> Trust:
        """The label of rows landed into the table."""
        return self.declared.trust

    @property
    def max_rows(self) -> int | None:
        """The table's row ceiling; None for none of its own."""
        return self.declared.max_rows

    @property
    def decay_half_life(self) -> int | None:
        """Seconds in which a ranked score halves."""
        return self.declared.decay_half_life

    @property
    def time_to_live(self) -> int | None:
        """Seconds a researched claim holds."""
        return self.declared.time_to_live

    @property
    def labels(self) -> str | None:
        """The outcomes table that settles these claims."""
        return self.declared.labels

    @property
    def predictions(self) -> str | None:
        """The predictions table these outcomes settle."""
        return self.declared.predictions

    def lake_tables(self) -> dict[str, dict[str, str]]:
        """The lake tables it stands for, itself first, each with its ordered columns, engine columns last."""
        sides = SIDE_TABLES if self.is_claims else {}
        return {self.name: {**self.columns, **ENGINE_COLUMNS}} | {
            f"{self.name}_{suffix}": {**columns, **ENGINE_COLUMNS} for suffix, columns in sides.items()
        }
