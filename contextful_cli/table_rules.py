"""What can be wrong with declared tables, each fault as a sentence that names the table and says what to do."""

import re
from collections.abc import Iterator

from contextful_cli.shapes import CLAIMS, RESERVED_SUFFIXES, SHAPES, SYSTEM_TABLES
from contextful_cli.tables import AvailableTime, Table

# Names that the session schema and the lake keep for themselves; `all_*` is the union over a shape.
RESERVED_TABLES = {
    "source_rows",
    "source_versions",
    "copied_versions",
    "later_versions",
    "declared_tables",
    "synthesis_cursor",
    *SYSTEM_TABLES,
}
# Keys that mean something for one shape only (None: tables without a shape).
SHAPE_OF_KEY = {
    "key": None,
    "labels": CLAIMS,
    "decay_half_life": CLAIMS,
    "time_to_live": CLAIMS,
    "predictions": "outcomes",
}
NAME = re.compile(r"[^\W\d_]\w*")


def malformed(tables: list[Table]) -> Iterator[str]:
    """Every DeclarationMalformed fault of the tables, missing canonical columns apart."""
    for table in tables:
        yield from (f"{table.label}: {text}" for text in _table_faults(table))
    yield from _name_faults(tables)
    yield from _reference_faults(tables)


def missing_columns(tables: list[Table]) -> Iterator[str]:
    """One sentence for each table that lacks canonical columns, naming all of them."""
    for table in tables:
        shape = SHAPES.get(table.shape or "")
        columns = shape.columns.items() if shape else ()
        missing = [f"`{name}`" for name, column in columns if not column.optional and name not in table.columns]
        if missing:
            # rule: declare.canonical-column
            yield f"{table.label} ({table.shape}) lacks {', '.join(missing)}"


def _table_faults(table: Table) -> Iterator[str]:
    """What is wrong with one table by itself, missing canonical columns apart."""
    if not NAME.fullmatch(table.name):
        yield "begin a table's name with a letter and go on with letters, digits and underscores"
    if table.name.casefold() in RESERVED_TABLES or table.name.casefold().startswith("all_"):
        yield "the name is reserved; choose another"
    if not table.columns:
        yield "no columns; list each with its data_type"
    if table.shape is not None and table.shape not in SHAPES:
        yield f"unknown shape `{table.shape}`; known: {', '.join(SHAPES)}"
    yield from _canonical_type_faults(table)
    yield from _shape_key_faults(table)
    yield from _reference_column_faults(table)
    if table.available_time:
        yield from _available_time_faults(table, table.available_time)


def _canonical_type_faults(table: Table) -> Iterator[str]:
    shape = SHAPES.get(table.shape or "")
    for name, column in shape.columns.items() if shape else ():
        declared = table.columns.get(name)
        if declared and declared != column.data_type:
            yield f"column `{name}` is {declared}; {table.shape} wants {column.data_type}"


def _shape_key_faults(table: Table) -> Iterator[str]:
    for key, shape in SHAPE_OF_KEY.items():
        if getattr(table.declared, key) and table.shape != shape:
            yield f"`{key}` is for {f'tables of shape {shape}' if shape else 'tables without a shape'}; remove it"
    if table.available_time and table.shape is None:
        yield "`available_time` is for tables with a shape; remove it"
    if len(set(table.declared.key)) < len(table.declared.key):
        yield "`key` names a column twice"


def _reference_column_faults(table: Table) -> Iterator[str]:
    """Columns that the declaration names must be declared, and of a type that can serve."""
    named = [("key", name) for name in table.declared.key]
    named += [(key, name) for key in ("observed_at", "subject_column") if (name := getattr(table, key)) is not None]
    for key, name in named:
        if name not in table.columns:
            yield f"`{key}` names `{name}`, which is no column of the table"
    data_type = table.columns.get(table.observed_at or "")
    if data_type and data_type not in ("timestamptz", "date"):
        yield f"`observed_at` names `{table.observed_at}`, a {data_type}; it must be timestamptz or date"
    for name in table.declared.key:
        if table.columns.get(name, "").startswith("struct") or table.columns.get(name, "").endswith("[]"):
            yield f"`key` names `{name}`, a list or struct; a key column is a scalar"


def _available_time_faults(table: Table, available: AvailableTime) -> Iterator[str]:
    for key, name, data_type in (
        ("column", available.column, "timestamptz"),
        ("content_hash_column", available.content_hash_column, "varchar"),
    ):
        if name is not None and name not in table.columns:
            yield f"`available_time.{key}` names `{name}`, which is no column of the table"
        elif name is not None and table.columns[name] not in ("", data_type):
            yield f"`available_time.{key}` names `{name}`, a {table.columns[name]}; it must be {data_type}"
    if table.is_claims and available.column in SHAPES[CLAIMS].columns:
        yield f"`available_time.column` names `{available.column}`, a column of the shape; give it one of its own"
    if not _is_zone(available.zone):
        yield f"`available_time.zone` is `{available.zone}`, no known time zone; write one such as Europe/Berlin"


def _is_zone(zone: str) -> bool:
    if zone == "UTC":
        return True
    from zoneinfo import ZoneInfo

    try:
        ZoneInfo(zone)
    except (ValueError, OSError, KeyError):
        return False
    return True


def _name_faults(tables: list[Table]) -> Iterator[str]:
    """Lake names taken twice: by two tables, or by a table and what a claims table keeps beside it."""
    taken: dict[str, str] = {}
    for table in sorted(tables, key=lambda one: one.is_claims):
        sides = [f"{table.name}_{suffix}" for suffix in RESERVED_SUFFIXES] if table.is_claims else []
        for name in [table.name, *sides]:
            if other := taken.get(name.casefold()):
                yield f"{table.label}: the name `{name}` is already taken by {other}; rename one of them"
            taken[name.casefold()] = table.label


def _reference_faults(tables: list[Table]) -> Iterator[str]:
    for table in tables:
        for key, shape in (("labels", "outcomes"), ("predictions", "predictions")):
            name = getattr(table, key)
            shapes = {other.shape for other in tables if other.name == name}
            if name is not None and shapes != {shape}:
                yield f"{table.label}: `{key}` names `{name}`, which is no table of shape {shape}"
