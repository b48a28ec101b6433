"""What a declared table is: its columns and its `config.meta.contextful`.

Plain dataclasses: importing pydantic and building its models took 145 ms of every cold read, these take none.
"""

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from contextful_cli.shapes import CLAIMS, ENGINE_COLUMNS, SHAPES, SIDE_TABLES, SYSTEM_TABLES

# Most trusted first.
TRUST_LABELS = ("operator", "ingested:first-party", "ingested:third-party")
LEAST_TRUST = TRUST_LABELS[-1]
MAX_BIGINT = 2**63 - 1

_DURATION = re.compile(r"([1-9][0-9]{0,6})([smhdw])")
_SECONDS = {"s": 1, "m": 60, "h": 3600, "d": 86400, "w": 604800}


@dataclass(frozen=True, slots=True)
class AvailableTime:
    """When the source became available.

    zone: reads texts without an offset. content_hash_column: tells two vintages of a row apart.
    """

    column: str
    zone: str = "UTC"
    content_hash_column: str | None = None


@dataclass(frozen=True, slots=True)
class Declared:
    """`config.meta.contextful` of a table, defaults filled in. Durations are seconds."""

    shape: str | None = None
    key: tuple[str, ...] = ()
    observed_at: str | None = None
    subject_column: str | None = None
    available_time: AvailableTime | None = None
    trust: str = LEAST_TRUST
    max_rows: int | None = None
    decay_half_life: int | None = None
    time_to_live: int | None = None
    labels: str | None = None
    predictions: str | None = None


def parse_declared(meta: object) -> tuple[Declared, list[str]]:
    """`config.meta.contextful` as read from YAML (None: absent), and what is wrong with it; sound keys still count."""
    if meta is not None and not isinstance(meta, dict):
        return Declared(), ["config.meta.contextful must be a mapping"]
    values, faults = _read(meta or {}, _READERS, "config.meta.contextful")
    return Declared(**values), faults


def _read(
    meta: dict[Any, Any], readers: dict[str, Callable[[Any], Any]], where: str
) -> tuple[dict[str, Any], list[str]]:
    values: dict[str, Any] = {}
    faults: list[str] = []
    for key, value in meta.items():
        if key not in readers:
            faults.append(f"unknown key `{key}` in {where}; known: {', '.join(readers)}")
            continue
        try:
            values[key] = readers[key](value)
        except ValueError as error:
            faults.append(f"`{key}`: {error}")
    return values, faults


def _text(value: object) -> str:
    if not isinstance(value, str) or not value.strip():
        raise ValueError("write a non-blank text")
    return value


def _texts(value: object) -> tuple[str, ...]:
    if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
        raise ValueError("write a list of column names, such as [order_id]")
    return tuple(value)


def _trust(value: object) -> str:
    if value not in TRUST_LABELS:
        raise ValueError(f"write one of: {', '.join(TRUST_LABELS)}")
    return str(value)


def _max_rows(value: object) -> int:
    # bool is an int to Python, not to a reader of the YAML.
    if not isinstance(value, int) or isinstance(value, bool) or not 0 < value <= MAX_BIGINT:
        raise ValueError("write a whole number above 0")
    return value


def _duration(value: object) -> int:
    match = _DURATION.fullmatch(value) if isinstance(value, str) else None
    if match is None:
        raise ValueError("write a duration as a whole number and s, m, h, d or w, such as 90d")
    return int(match[1]) * _SECONDS[match[2]]


def _available_time(value: object) -> AvailableTime:
    if not isinstance(value, dict) or "column" not in value:
        raise ValueError("write a mapping with `column`, such as {column: published_at, zone: Europe/Berlin}")
    readers: dict[str, Callable[[Any], Any]] = {"column": _text, "zone": _text, "content_hash_column": _text}
    values, faults = _read(value, readers, "available_time")
    if faults:
        raise ValueError("; ".join(faults))
    return AvailableTime(**values)


_READERS: dict[str, Callable[[Any], Any]] = {
    "shape": _text,
    "key": _texts,
    "observed_at": _text,
    "subject_column": _text,
    "available_time": _available_time,
    "trust": _trust,
    "max_rows": _max_rows,
    "decay_half_life": _duration,
    "time_to_live": _duration,
    "labels": _text,
    "predictions": _text,
}


@dataclass(frozen=True, slots=True)
class Table:
    """A declared table.

    columns: the declared ones, name to normalised DuckDB type, in order. file: relative to the folder of the project.
    """

    name: str
    file: str
    position: int
    columns: dict[str, str]
    declared: Declared = field(default_factory=Declared)
    project: Path = Path()

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
        return list(SHAPES[self.shape].key) if self.shape in SHAPES else list(self.declared.key)

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
    def trust(self) -> str:
        """The label of rows landed into the table."""
        return self.declared.trust

    @property
    def available_columns(self) -> list[str]:
        """What a written line may carry besides the shape's members: the available time's column, if it has one."""
        declared, shape = self.available_time, SHAPES.get(self.shape or "")
        return [declared.column] if declared and shape and declared.column not in shape.columns else []

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


def lake_tables(tables: Iterable[Table]) -> dict[str, dict[str, str]]:
    """All tables of a lake: those the declared ones stand for, and those that nobody declares."""
    return {name: columns for table in tables for name, columns in table.lake_tables().items()} | SYSTEM_TABLES
