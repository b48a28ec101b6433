"""Checking the declarations as a whole, and converting a `contextful.toml` into them."""

import os
import tomllib
from pathlib import Path
from typing import Any

import yaml

from contextful_cli import declaration, relations
from contextful_cli.credentials import agents
from contextful_cli.errors import ContextfulError
from contextful_cli.relations import Relation
from contextful_cli.shapes import SHAPES

FOLDER = Path("models/landing")
COLUMN_KEYS = {"name", "data_type", "description"}


def check(project: Path) -> dict[str, Any]:
    """{tables, relations: counts, faults: [{identifier, message}]}, with all faults."""
    tables, faults = declaration.read(project)
    declared, wrong = relations.read(project)
    faults += [_malformed(text) for text in (*wrong, *_unknown_zones(tables))]
    try:
        agents.trusted(project)
    except ContextfulError as fault:
        faults.append(fault)
    return {
        "tables": len(tables),
        "relations": len(declared),
        "faults": [{"identifier": fault.identifier, "message": fault.message} for fault in faults],
    }


def import_toml(project: Path, file: Path) -> dict[str, Any]:
    """Write the file's tables to models/landing/<its name>.yml and add its relations to the seed.

    Gives {file, tables, relations}: what was written. Raises DeclarationMalformed or MemoryShapeColumnMissing, and then
    nothing is written. What is declared already refuses; only a relation of the same traits is left as it is.
    """
    document = _parse(file)
    tables = [_table(entry) for entry in _list(document, "table")]
    wanted = [_relation(entry) for entry in _list(_mapping(document, "relation", {"declared"}), "declared")]
    added = _new_relations(project, wanted)
    target = project / FOLDER / f"{file.stem}.yml"
    text = _yaml(tables) if tables else ""
    if tables:
        _check_proposed(project, target, text)
    if added:
        _replace(project / relations.SEED, relations.extended(project, added))
    if tables:
        _create(target, text)
    return {
        "file": target.relative_to(project).as_posix() if tables else None,
        "tables": [table["name"] for table in tables],
        "relations": [relation.rel_type for relation in added],
    }


def _malformed(message: str) -> ContextfulError:
    return ContextfulError("DeclarationMalformed", message)


def _unknown_zones(tables: list[declaration.Table]) -> list[str]:
    """Zones that Python knows and DuckDB, which reads the rows, does not."""
    zones = {table.label: table.available_time.zone for table in tables if table.available_time}
    if set(zones.values()) <= {"UTC"}:
        return []
    import duckdb

    with duckdb.connect() as con:
        known = {name for (name,) in con.execute("select name from pg_timezone_names()").fetchall()}
    return [f"{label}: DuckDB knows no time zone `{zone}`" for label, zone in zones.items() if zone not in known]


def _parse(file: Path) -> dict[str, Any]:
    try:
        document = tomllib.loads(file.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise _malformed(f"{file} cannot be read as TOML: {error}") from error
    if unknown := document.keys() - {"table", "relation"}:
        raise _malformed(f"{file}: unknown {_names(unknown)}; known: [[table]] and [[relation.declared]]")
    return document


def _names(names: "set[str] | list[str]") -> str:
    return ", ".join(f"`{name}`" for name in sorted(names))


def _list(mapping: dict[str, Any], key: str) -> list[Any]:
    entries = mapping.get(key, [])
    if not isinstance(entries, list):
        raise _malformed(f"`{key}` must be a list of entries, such as [[{key}]]")
    return entries


def _mapping(document: dict[str, Any], key: str, known: set[str]) -> dict[str, Any]:
    mapping = document.get(key, {})
    if not isinstance(mapping, dict) or mapping.keys() - known:
        raise _malformed(f"`{key}` holds only {_names(known)}")
    return mapping


def _table(entry: object) -> dict[str, Any]:
    """The dbt source entry of a `[[table]]`; keys other than these go to config.meta.contextful, which checks them."""
    if not isinstance(entry, dict) or not isinstance(entry.get("name"), str):
        raise _malformed("a [[table]] without a `name`")
    meta = {key: value for key, value in entry.items() if key not in {"name", "description", "columns"}}
    columns = _list(entry, "columns") if "columns" in entry else _canonical_columns(entry["name"], meta.get("shape"))
    table: dict[str, Any] = {"name": entry["name"]}
    table |= {"description": entry["description"]} if "description" in entry else {}
    return table | {"config": {"meta": {"contextful": meta}}, "columns": [_column(entry["name"], c) for c in columns]}


def _canonical_columns(name: str, shape: object) -> list[dict[str, str]]:
    if shape not in SHAPES:
        raise _malformed(f"table `{name}`: list its `columns`, or name a shape: {', '.join(SHAPES)}")
    return [{"name": column, "data_type": of.data_type} for column, of in SHAPES[str(shape)].columns.items()]


def _column(table: str, column: object) -> dict[str, Any]:
    if not isinstance(column, dict) or column.keys() - COLUMN_KEYS:
        raise _malformed(f"table `{table}`: write each of `columns` as {{name = …, data_type = …}}")
    return column


def _relation(entry: object) -> Relation:
    """A bare name, or {name, direction, cardinality, walkable}."""
    traits = {"name": entry} if isinstance(entry, str) else entry
    if not isinstance(traits, dict) or traits.keys() - {"name", "direction", "cardinality", "walkable"}:
        raise _malformed("write a relation as a name or as {name, direction, cardinality, walkable}")
    relation = Relation(
        traits.get("name", ""),
        traits.get("direction", "directed"),
        traits.get("cardinality", "many"),
        traits.get("walkable", False),
    )
    for fault in relations.faults(relation):
        raise _malformed(fault)
    return relation


def _new_relations(project: Path, wanted: list[Relation]) -> list[Relation]:
    """Those not declared yet. Raises when one is declared with other traits, or twice."""
    declared, wrong = relations.read(project)
    if wrong:
        raise _malformed("; ".join(wrong))
    held = {relation.rel_type: relation for relation in declared}
    added: dict[str, Relation] = {}
    for relation in wanted:
        other = held.get(relation.rel_type) or added.get(relation.rel_type)
        if other is not None and other != relation:
            raise _malformed(
                f"relation `{relation.rel_type}` is declared already, with other traits; nothing was changed"
            )
        if other is None:
            added[relation.rel_type] = relation
    return list(added.values())


def _yaml(tables: list[dict[str, Any]]) -> str:
    source = {"name": declaration.SOURCE, "database": declaration.SOURCE, "schema": "main", "tables": tables}
    return yaml.safe_dump({"version": 2, "sources": [source]}, sort_keys=False, allow_unicode=True, width=120)


def _check_proposed(project: Path, target: Path, text: str) -> None:
    """Refuse a file that is there, and declarations that would not load with those that are."""
    if target.exists():
        raise _malformed(f"{target.relative_to(project)} exists; give the TOML file another name, or edit that file")
    _, faults = declaration.read(project, {target.relative_to(project).as_posix(): text.encode()})
    if faults:
        raise declaration.combined(faults)


def _temporary(target: Path, text: str) -> Path:
    """The text beside its target, under a name that neither dbt nor the CLI reads."""
    target.parent.mkdir(parents=True, exist_ok=True)
    temporary = target.with_name(f".{target.name}.{os.getpid()}.tmp")
    with temporary.open("w", encoding="utf-8", newline="") as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())
    return temporary


def _replace(target: Path, text: str) -> None:
    _temporary(target, text).replace(target)


def _create(target: Path, text: str) -> None:
    """A link, unlike a rename, refuses when another import has made the target meanwhile."""
    temporary = _temporary(target, text)
    try:
        os.link(temporary, target)
    except FileExistsError as error:
        raise _malformed(f"{target} exists; nothing was overwritten") from error
    finally:
        temporary.unlink()
