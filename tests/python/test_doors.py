"""No SQL reads around the session: every model, macro and compiled function is looked at, not a list of them."""

import json
import re
from pathlib import Path

import duckdb
import pytest

from contextful_cli.settings import Home

REPOSITORY = Path(__file__).parents[2]
# The session's own macros, and what publishes from it, are the only SQL that names the stores.
# session_relation records the source that a session's relation stands for, and yields the session's name.
INSIDE = ("macros/session/", "macros/publish/", "macros/support/session_relation.sql")
STORES = re.compile(
    r"\b(landing\.main|published\.|ducklake|read_parquet|read_csv|read_json\w*|parquet_scan|sqlite_scan|query_table|glob)\b"
    r"|\bquery\s*\(|\battach\b|\bsource\(\s*['\"]landing",
    re.IGNORECASE,
)
# A function of the write path may look a writer's lines and their surroundings up in the `pending` schema, too.
DOORS = {"session", "pending"}
SCHEMAS = {"recall", "revise", "settle", "calibrate"}


def sql_files() -> list[Path]:
    found = [file for folder in ("models", "macros", "tests/data") for file in (REPOSITORY / folder).rglob("*.sql")]
    return [file for file in found if not str(file.relative_to(REPOSITORY)).startswith(INSIDE)]


def without_comments(sql: str) -> str:
    return re.sub(r"{#.*?#}|--[^\n]*", "", sql, flags=re.DOTALL)


def test_there_is_something_to_look_at() -> None:
    assert len(sql_files()) > 100


@pytest.mark.parametrize("file", sql_files(), ids=lambda file: str(file.relative_to(REPOSITORY)))
def test_no_model_or_macro_names_a_store(file: Path) -> None:
    assert STORES.search(without_comments(file.read_text())) is None


@pytest.mark.parametrize(
    "sql",
    [
        "select * from landing.main.people",
        'select * from published.landing."facts"',
        "from query_table(p_table)",
        "from query('select 1')",
        "from read_parquet('x')",
        "select * from {{ source('landing', 'people') }}",
        "attach 'x' as y",
    ],
)
def test_it_would_be_found(sql: str) -> None:
    assert STORES.search(sql)


def test_compiled_functions_read_the_session_and_each_other_only(compiled: Home) -> None:
    """As DuckDB parses them: every table and table function that a statement names."""
    functions = json.loads(compiled.functions.read_text())
    names = {(entry["schema"], entry["name"]) for entry in functions}
    assert len(names) > 50
    con = duckdb.connect()
    for entry in functions:
        body = entry["statement"].split(" as table", 1)[1]
        tree = json.loads(
            con.execute("select json_serialize_sql(?::varchar)", [body.strip().strip("()")]).fetchone()[0]
        )
        if tree.get("error"):
            tree = json.loads(con.execute("select json_serialize_sql(?::varchar)", [body]).fetchone()[0])
        assert not tree.get("error"), (entry["name"], tree)
        for schema, name in referenced(tree):
            allowed = schema in DOORS or (schema, name) in names or name in BUILTIN
            assert allowed, f"{entry['schema']}.{entry['name']} reads {schema}.{name}"


BUILTIN = {"range", "generate_series", "unnest"}


def referenced(tree: object) -> list[tuple[str, str]]:
    """(schema, name) of base tables and table functions, CTEs left out."""
    found: list[tuple[str, str]] = []
    ctes: set[str] = set()

    def visit(node: object) -> None:
        if isinstance(node, list):
            for one in node:
                visit(one)
        elif isinstance(node, dict):
            if "cte_map" in node:
                ctes.update(entry["key"] for entry in node["cte_map"]["map"])
            if node.get("type") == "BASE_TABLE":
                found.append((node["schema_name"], node["table_name"]))
            if node.get("type") == "TABLE_FUNCTION":
                found.append((node["function"]["schema"], node["function"]["function_name"]))
            for one in node.values():
                visit(one)

    visit(tree)
    return [(schema, name) for schema, name in found if schema or name not in ctes]
