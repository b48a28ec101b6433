"""Staging a file to land: every value checked and cast in SQL, all rows or none. No loop runs over rows."""

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from contextful_cli import relations
from contextful_cli.declaration import SHAPES, Table
from contextful_cli.errors import ContextfulError
from contextful_cli.landing.forms import Form, is_not_blank, json_form, typed_form
from contextful_cli.landing.reading import RAW, drop_raw, format_of, malformed, read_raw, row_fault
from contextful_cli.shapes import EVIDENCE

if TYPE_CHECKING:
    import duckdb


@dataclass(frozen=True, slots=True)
class Rule:
    """What a column wants beside its type. is_required: not null. is_named: nor blank. default: SQL for a null."""

    is_required: bool
    is_named: bool
    default: str | None = None


@dataclass(frozen=True, slots=True)
class Cell:
    """A column of the file. given: SQL for what the file says, null where it says nothing. form: how that is read."""

    given: str
    form: Form


def stage_file(
    con: "duckdb.DuckDBPyConnection",
    table: Table,
    source: str | Path,
    fmt: str | None = None,
    into: str = "staged",
) -> int:
    """Fill the temporary table `into` with the table's declared columns, in order, and give the number of rows.

    con: in UTC, outside a transaction. source: a path, or `-` for JSONL on standard input.
    fmt: csv, jsonl or parquet; None goes by the name.
    The staged rowid is the 0-based data row.
    Raises LandingMalformed (row and column), MemoryUndeclaredRelation (edges); then nothing is staged.
    """
    fmt = format_of(source, fmt)
    con.execute(f'drop table if exists temp.main."{into}"')
    try:
        stored = read_raw(con, table, source, fmt)
        _check_required(table, fmt, stored)
        _check_zone(con, table)
        cells = {name: _cell(table, name, fmt, stored[name]) for name in table.columns if name in stored}
        _check_values(con, table, cells)
        _check_relations(con, table, cells)
        return _stage(con, table, cells, into)
    finally:
        drop_raw(con)


def rule_of(table: Table, name: str) -> Rule:
    """The rule of a declared column: by its shape; in a source table the key columns are required."""
    shape = SHAPES.get(table.shape or "")
    canonical = shape.columns.get(name) if shape else None
    if canonical is None:
        return Rule(is_required=name in table.key, is_named=False)
    if canonical.data_type.endswith("[]"):
        return Rule(is_required=False, is_named=False, default=f"cast([] as {canonical.data_type})")
    is_text = canonical.data_type == "varchar"
    return Rule(not canonical.nullable, is_text and not canonical.nullable and not canonical.may_be_blank)


def _cell(table: Table, name: str, fmt: str, stored: str) -> Cell:
    """How a column of the file becomes the declared one."""
    available = table.available_time
    zone = available.zone if available and available.column == name else None
    data_type, given = table.columns[name], f'"{name}"'
    # A quoted empty cell is an empty text; for any other type it is null, as writers that quote every cell mean it.
    if stored == "VARCHAR" and data_type != "varchar":
        given = f"nullif({given}, '')"
    if fmt == "jsonl":
        return Cell(given, json_form(data_type, given, zone))
    return Cell(given, typed_form(data_type, given, stored, zone))


def _check_required(table: Table, fmt: str, stored: dict[str, str]) -> None:
    missing = [f"`{name}`" for name in table.columns if name not in stored and rule_of(table, name).is_required]
    if missing:
        raise malformed(f"the {fmt} file lacks {', '.join(missing)}, which {table.label} requires")


def _check_zone(con: "duckdb.DuckDBPyConnection", table: Table) -> None:
    """DuckDB's zones are its own list, which the declaration's check (Python's) does not know."""
    zone = table.available_time.zone if table.available_time else "UTC"
    if con.execute("select count(*) from pg_timezone_names() where name = $1", [zone]).fetchone() == (0,):
        raise ContextfulError("DeclarationMalformed", f"{table.label}: DuckDB knows no time zone `{zone}`")


def _check_values(con: "duckdb.DuckDBPyConnection", table: Table, cells: dict[str, Cell]) -> None:
    """One pass gives the first bad row of each column; the first of those is named."""
    if not cells:
        return
    firsts = ", ".join(
        f"min(rowid) filter (where not ({_is_sound(rule_of(table, name), cell)}))" for name, cell in cells.items()
    )
    found = con.execute(f"select {firsts} from {RAW}").fetchone() or ()
    bad = [(row, name) for row, name in zip(found, cells, strict=True) if row is not None]
    if bad:
        row, name = min(bad, key=lambda fault: fault[0])
        rule = rule_of(table, name)
        hint = ", not blank" if rule.is_named else ", not null" if rule.is_required else ""
        raise row_fault(row + 1, name, cells[name].form.expected + hint)


def _is_sound(rule: Rule, cell: Cell) -> str:
    blank = f" and {is_not_blank(cell.form.value)}" if rule.is_named else ""
    null = "false" if rule.is_required else "true"
    return f"case when {cell.given} is null then {null} else coalesce({cell.form.ok}, false){blank} end"


def _check_relations(con: "duckdb.DuckDBPyConnection", table: Table, cells: dict[str, Cell]) -> None:
    if table.shape != "memory_edges":
        return
    found = con.execute(f"select distinct {cells['rel_type'].form.value} from {RAW}").fetchall()
    unknown = sorted({rel_type for (rel_type,) in found} - set(relations.names(table.project)))
    if unknown:
        names = ", ".join(f"`{name}`" for name in unknown)
        raise ContextfulError(
            "MemoryUndeclaredRelation",
            f"{table.label}: the file holds edges of {names}; declare it in {relations.SEED}, then land the file again",
        )


def _stage(con: "duckdb.DuckDBPyConnection", table: Table, cells: dict[str, Cell], into: str) -> int:
    columns = ", ".join(f'{_value(table, name, cells.get(name))} as "{name}"' for name in table.columns)
    con.execute(f'create temp table "{into}" as select {columns} from {RAW}')
    counted = con.execute(f'select count(*) from temp.main."{into}"').fetchone()
    return counted[0] if counted else 0


def _value(table: Table, name: str, cell: Cell | None) -> str:
    data_type, default = table.columns[name], rule_of(table, name).default or "null"
    if cell is None:
        return f"cast({default} as {data_type})"
    value = _without_digests(cell.form.value) if table.shape and data_type == EVIDENCE else cell.form.value
    return f"cast(case when {cell.given} is null then {default} else {value} end as {data_type})"


def _without_digests(citations: str) -> str:
    """A digest that the producer sends is never trusted; landing stamps its own."""
    bare = '"table" := c."table", "run" := c."run", "seq" := c."seq", "key_digest" := cast(null as varchar)'
    return f"list_transform({citations}, lambda c: struct_pack({bare}))"
