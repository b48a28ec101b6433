"""The declared tables, read from the dbt sources named `landing`: the one place that says what a lake table holds.

Runs on every cold read: YAML only, no dbt. dbt refuses the same declarations, for its plugin calls `load`.
"""

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import yaml

from contextful_cli import datatypes, table_rules
from contextful_cli.errors import ContextfulError
from contextful_cli.shapes import CLAIMS, ENGINE_COLUMNS, SHAPES, SIDE_TABLES, Shape
from contextful_cli.tables import TRUST_LABELS, AvailableTime, Table, parse_declared

__all__ = [
    "CLAIMS",
    "ENGINE_COLUMNS",
    "SHAPES",
    "SIDE_TABLES",
    "TRUST_LABELS",
    "AvailableTime",
    "Shape",
    "Table",
    "combined",
    "find",
    "load",
    "read",
]

SOURCE = "landing"
MALFORMED = "DeclarationMalformed"
MISSING = "MemoryShapeColumnMissing"
_LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


def load(project_dir: str | Path) -> list[Table]:
    """All declared tables in (file name, position) order.

    Raises MemoryShapeColumnMissing, naming every missing column of every table, else DeclarationMalformed.
    """
    tables, faults = read(project_dir)
    if faults:
        raise combined(faults)
    return tables


def find(tables: Iterable[Table], name: str) -> Table | None:
    """The table of that exact name, or None: the caller knows which refusal an unknown table takes."""
    return next((table for table in tables if table.name == name), None)


def combined(faults: list[ContextfulError]) -> ContextfulError:
    """One refusal for many: the missing canonical columns where there are any, else all malformed declarations."""
    identifier = MISSING if any(fault.identifier == MISSING for fault in faults) else MALFORMED
    messages = [fault.message for fault in faults if fault.identifier == identifier]
    return ContextfulError(identifier, "; ".join(dict.fromkeys(messages)))


def read(
    project_dir: str | Path, proposed: dict[str, bytes] | None = None
) -> tuple[list[Table], list[ContextfulError]]:
    """The tables that could be read, in order, and everything wrong with the declarations.

    proposed: files not written yet (path in the project to content), read as if they were there.
    """
    faults: list[ContextfulError] = []
    tables: list[Table] = []
    for file, position, entry in _entries(Path(project_dir), proposed or {}, faults):
        where = f"{file}: table `{entry['name']}`"
        columns = _columns(entry, where, faults)
        declared, wrong = parse_declared(_meta(entry))
        faults += [_malformed(f"{where}: {text}") for text in (*wrong, *_legacy(entry))]
        tables.append(Table(entry["name"], file, position, columns, declared, Path(project_dir)))
    faults += [_malformed(text) for text in table_rules.malformed(tables)]
    faults += [ContextfulError(MISSING, text) for text in table_rules.missing_columns(tables)]
    return tables, faults


def _malformed(message: str) -> ContextfulError:
    return ContextfulError(MALFORMED, message)


def _source_files(project_dir: Path, proposed: dict[str, bytes]) -> dict[str, bytes]:
    """Path in the project to content, of the YAML files that may hold sources, in order of file name."""
    found = [path for pattern in ("*.yml", "*.yaml") for path in (project_dir / "models").rglob(pattern)]
    files = {path.relative_to(project_dir).as_posix(): path.read_bytes() for path in found if path.is_file()}
    # Parsing the pages of the models too would cost more than all the rest.
    files = {file: raw for file, raw in (files | proposed).items() if b"sources" in raw and SOURCE.encode() in raw}
    return dict(sorted(files.items(), key=lambda item: (item[0].rpartition("/")[2], item[0])))


def _entries(
    project_dir: Path, proposed: dict[str, bytes], faults: list[ContextfulError]
) -> Iterator[tuple[str, int, dict[str, Any]]]:
    """(file, position in it, table entry) of every table of a source named landing."""
    for file, raw in _source_files(project_dir, proposed).items():
        try:
            entries = list(_landing_tables(yaml.load(raw, Loader=_LOADER)))
        except (yaml.YAMLError, ValueError, TypeError) as error:
            faults.append(_malformed(f"{file}: {' '.join(str(error).split())}"))
            continue
        yield from ((file, position, entry) for position, entry in enumerate(entries))


def _landing_tables(document: object) -> Iterator[dict[str, Any]]:
    sources = document.get("sources") if isinstance(document, dict) else None
    for source in sources or []:
        if not isinstance(source, dict) or source.get("name") != SOURCE:
            continue
        if _meta(source):
            raise ValueError("write `contextful` under config.meta of each table, not of the source")
        for entry in source.get("tables") or []:
            if not isinstance(entry, dict) or not isinstance(entry.get("name"), str):
                raise ValueError(f"source `{SOURCE}`: a table without a name; give each entry of `tables` a `name`")
            yield entry


def _meta(entry: dict[str, Any]) -> object:
    config = entry.get("config")
    meta = config.get("meta") if isinstance(config, dict) else None
    return meta.get("contextful") if isinstance(meta, dict) else None


def _columns(entry: dict[str, Any], where: str, faults: list[ContextfulError]) -> dict[str, str]:
    """Name to normalised type; a column at fault keeps its place with an empty type: it does not count as missing."""
    columns: dict[str, str] = {}
    seen: set[str] = set()
    items = entry.get("columns") or []
    for item in items if isinstance(items, list) else [items]:
        name = item.get("name") if isinstance(item, dict) else None
        if not isinstance(name, str):
            faults.append(_malformed(f"{where}: a column without a name; give each entry of `columns` a `name`"))
            continue
        columns[name], fault = _column_type(item, name, seen)
        seen.add(name.casefold())
        if fault:
            faults.append(_malformed(f"{where}: column `{name}` {fault}"))
    return columns


def _column_type(item: dict[str, Any], name: str, seen: set[str]) -> tuple[str, str | None]:
    if name.casefold() in seen:
        return "", "is declared twice (case does not tell columns apart)"
    if name in ENGINE_COLUMNS:
        return "", "is the engine's, which adds it to every table; remove it from the declaration"
    if not table_rules.NAME.fullmatch(name):
        return "", "has a reserved or unusable name; begin with a letter, go on with letters, digits and underscores"
    data_type = item.get("data_type")
    if not isinstance(data_type, str):
        return "", f"has no data_type; give one of: {datatypes.ACCEPTED}"
    try:
        return datatypes.normalise(data_type), None
    except ValueError as error:
        return "", f"has the data_type `{data_type}`: {error}; give one of: {datatypes.ACCEPTED}"


def _legacy(entry: dict[str, Any]) -> Iterator[str]:
    meta = entry.get("meta")
    if isinstance(meta, dict) and "contextful" in meta:
        yield "move meta.contextful under config (config.meta.contextful)"
