"""Laying the rows of a file in a temporary table as they are: texts for CSV, JSON for JSONL, types for Parquet."""

import csv
import re
import shutil
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from contextful_cli.declaration import ENGINE_COLUMNS, Table
from contextful_cli.errors import ContextfulError

if TYPE_CHECKING:
    import duckdb

STDIN = "-"
FORMATS = ("csv", "jsonl", "parquet")
RAW = "_landing_raw"
LINES = "_landing_lines"
MAX_LINE_BYTES = 16 * 1024 * 1024
_BOM = b"\xef\xbb\xbf"
_CSV_REASONS = {
    "Invalid unicode": "it is not UTF-8",
    "unterminated quote": "a quote is not closed, or text follows the closing quote",
    "Maximum line size": f"it is longer than {MAX_LINE_BYTES} bytes; is a quote not closed?",
}


def malformed(message: str) -> ContextfulError:
    """The refusal of a file; nothing of it was landed."""
    return ContextfulError("LandingMalformed", message)


def row_fault(row: int, column: str, expected: str) -> ContextfulError:
    """The refusal of one value. row: 1-based data row."""
    return malformed(f"row {row}, column `{column}`: expected {expected}")


def drop_raw(con: "duckdb.DuckDBPyConnection") -> None:
    """Free what `read_raw` laid."""
    con.execute(f"drop table if exists {RAW}")
    con.execute(f"drop table if exists {LINES}")


def format_of(source: str | Path, fmt: str | None) -> str:
    """The format asked for, else the one the name's ending says; jsonl on standard input."""
    found = fmt or ("jsonl" if str(source) == STDIN else Path(source).suffix.lstrip(".").lower())
    found = {"ndjson": "jsonl"}.get(found, found)
    if found not in FORMATS:
        raise malformed(f"`{source}` is of no known format; give a file named .csv, .jsonl or .parquet")
    return found


def read_raw(con: "duckdb.DuckDBPyConnection", table: Table, source: str | Path, fmt: str) -> dict[str, str]:
    """Fill the temporary table RAW, whose rowid is the 0-based data row; gives its columns' DuckDB types.

    Raises LandingMalformed for a file that cannot be read as `fmt` or names a column that is not declared.
    """
    import duckdb

    with _local_file(source, fmt) as path:
        try:
            {"csv": _read_csv, "jsonl": _read_jsonl, "parquet": _read_parquet}[fmt](con, table, path)
        except duckdb.Error as error:
            raise _unreadable(error, fmt) from error
    return {name: kind for name, kind, *_ in con.execute(f"describe {RAW}").fetchall()}


@contextmanager
def _local_file(source: str | Path, fmt: str) -> Iterator[Path]:
    """A path without glob characters (DuckDB would expand them) and without a BOM before the first JSON line."""
    with tempfile.TemporaryDirectory(prefix="contextful-") as folder:
        path = Path(folder) / f"rows.{fmt}"
        if str(source) == STDIN:
            _spool(sys.stdin.buffer, path)
        elif not Path(source).is_file():
            raise malformed(f"there is no file `{source}`")
        elif fmt == "jsonl" and _starts_with_bom(Path(source)):
            with Path(source).open("rb") as file:
                _spool(file, path)
        else:
            path.symlink_to(Path(source).resolve())
        yield path


def _starts_with_bom(path: Path) -> bool:
    with path.open("rb") as file:
        return file.read(len(_BOM)) == _BOM


def _spool(stream, path: Path) -> None:  # type: ignore[no-untyped-def]
    with path.open("wb") as file:
        head = stream.read(len(_BOM))
        file.write(head.removeprefix(_BOM))
        shutil.copyfileobj(stream, file)


def _unreadable(error: Exception, fmt: str) -> ContextfulError:
    text = str(error)
    line = re.search(r"CSV Error on Line: ([0-9]+)", text)
    where = f"row {int(line[1]) - 1}: " if line else ""
    if counts := re.search(r"Expected Number of Columns: ([0-9]+) Found: ([0-9]+)", text):
        return malformed(f"{where}{counts[2]} values where the header has {counts[1]} columns")
    reason = next((said for sign, said in _CSV_REASONS.items() if sign in text), text.splitlines()[0])
    return malformed(f"{where}{reason}" if line else f"the file cannot be read as {fmt}: {reason}")


def _check_names(table: Table, names: list[str]) -> None:
    """Refuse names twice and names not declared; the engine's own are allowed, and dropped."""
    if doubled := sorted({name for name in names if names.count(name) > 1}):
        raise malformed(f"columns named twice: {', '.join(f'`{name}`' for name in doubled)}")
    unknown = [f"`{name}`" for name in names if name not in table.columns and name not in ENGINE_COLUMNS]
    if unknown:
        raise malformed(
            f"{table.label} declares no column {', '.join(unknown)}; declare it, or leave it out of the file"
        )


def _csv_header(path: Path) -> list[str]:
    # surrogateescape: the decoder reads ahead, and a bad byte in a later row is that row's fault, not the header's.
    try:
        with path.open(encoding="utf-8-sig", errors="surrogateescape", newline="") as file:
            header = next(csv.reader(file, strict=True), [])
        "".join(header).encode()
    except (UnicodeEncodeError, csv.Error) as error:
        raise malformed(f"the header cannot be read as csv in UTF-8: {error}") from error
    if not header:
        raise malformed("the file is empty; its first row must name the columns")
    return header


def _read_csv(con: "duckdb.DuckDBPyConnection", table: Table, path: Path) -> None:
    header = _csv_header(path)
    _check_names(table, header)
    # Nothing is sniffed: a guessed delimiter or quote would change what the same file means as it grows.
    con.execute(
        f"""create or replace temp table {RAW} as select {_kept(table, header)} from read_csv(
            $path, auto_detect = false, header = true, columns = $columns, delim = ',', quote = '"', escape = '"',
            strict_mode = true, nullstr = '', allow_quoted_nulls = false, max_line_size = {MAX_LINE_BYTES})""",
        {"path": str(path), "columns": dict.fromkeys(header, "varchar")},
    )


def _read_parquet(con: "duckdb.DuckDBPyConnection", table: Table, path: Path) -> None:
    names = [name for name, *_ in con.execute("describe select * from read_parquet($1)", [str(path)]).fetchall()]
    _check_names(table, names)
    con.execute(
        f"create or replace temp table {RAW} as select {_kept(table, names)} from read_parquet($1)", [str(path)]
    )


def _kept(table: Table, names: list[str]) -> str:
    """The declared columns among the names; without any, one column that keeps the rows countable."""
    return ", ".join(f'"{name}"' for name in names if name in table.columns) or 'null as "_none"'


def _read_jsonl(con: "duckdb.DuckDBPyConnection", table: Table, path: Path) -> None:
    # With ignore_errors a line that is no JSON is a null, which tells its row.
    con.execute(
        f"""create or replace temp table {LINES} as select json, json_keys(json) as keys
            from read_ndjson_objects($1, ignore_errors = true, maximum_object_size = {MAX_LINE_BYTES})""",
        [str(path)],
    )
    _check_lines(con, table)
    paths = ", ".join(f"'$.\"{name}\"'" for name in table.columns)
    members = ", ".join(
        f"nullif(members[{at}], 'null') as \"{name}\"" for at, name in enumerate(table.columns, start=1)
    )
    con.execute(
        f"""create or replace temp table {RAW} as
            select {members} from (select json_extract(json, [{paths}]) as members from {LINES})"""
    )


def _check_lines(con: "duckdb.DuckDBPyConnection", table: Table) -> None:
    """Every line an object, no key twice, no key that is not declared."""
    bad = con.execute(f"select min(rowid) from {LINES} where json is null or json_type(json) <> 'OBJECT'").fetchone()
    if bad and bad[0] is not None:
        raise malformed(f"row {bad[0] + 1}: expected one JSON object on one line, in UTF-8")
    # Most lines share one list of keys: look at each list once.
    key_lists = con.execute(f"select keys, min(rowid) from {LINES} group by keys order by min(rowid)").fetchall()
    for keys, row in key_lists:
        try:
            _check_names(table, keys)
        except ContextfulError as error:
            raise malformed(f"row {row + 1}: {error.message}") from None
