"""`contextful declare list | check | import`."""

import json
import shutil
from pathlib import Path

import pytest
import typer
from typer.testing import CliRunner

from contextful_cli import declaration, output, relations
from contextful_cli import declare as declaring
from contextful_cli.errors import ContextfulError
from contextful_cli.settings import Home
from contextful_cli.shapes import SHAPES
from contextful_cli.verbs import declare

TOML = """
[[table]]
name = "claims"
shape = "memory_facts"
labels = "settled"

[[table]]
name = "settled"
shape = "outcomes"

[[table]]
name = "orders"
description = "Orders: as they come."
key = ["id"]
columns = [{name = "id", data_type = "varchar"}, {name = "at", data_type = "timestamptz"}]

[[relation.declared]]
name = "owned_by"
cardinality = "one"
walkable = true
"""


@pytest.fixture
def project(tmp_path, monkeypatch):
    monkeypatch.setenv("DBT_PROJECT_DIR", str(tmp_path))
    (tmp_path / "macros" / "session").mkdir(parents=True)  # what tells a project of ours
    return tmp_path


@pytest.fixture
def run(project):
    app = typer.Typer()
    for name in ("list", "check", "import"):
        app.command(name)(getattr(declare, f"{name}_verb"))
    return lambda *arguments: CliRunner().invoke(app, [str(argument) for argument in arguments])


@pytest.fixture
def toml(tmp_path):
    def write(text, name="contextful.toml"):
        path = tmp_path / name
        path.write_text(text)
        return path

    return write


def files(project):
    return {
        p.relative_to(project).as_posix(): p.read_bytes()
        for p in project.rglob("*")
        if p.suffix != ".toml" and p.is_file()
    }


def refused(run, project, file):
    before = files(project)
    failed = run("import", file)
    assert isinstance(failed.exception, ContextfulError)
    assert failed.stdout == ""
    assert files(project) == before
    return str(failed.exception)


def test_import_fills_in_canonical_columns_and_declares_relations(run, project, toml):
    done = run("import", toml(TOML))
    assert json.loads(done.stdout) == {
        "file": "models/landing/contextful.yml",
        "tables": ["claims", "settled", "orders"],
        "relations": ["owned_by"],
    }
    claims, settled, orders = declaration.load(project)
    assert claims.columns == {name: column.data_type for name, column in SHAPES["memory_facts"].columns.items()}
    assert (claims.labels, settled.shape, orders.key) == ("settled", "outcomes", ["id"])
    seed = (project / relations.SEED).read_text().splitlines()
    assert seed[0] == "rel_type,direction,cardinality,is_walkable,is_reserved"
    assert len(seed) == 1 + len(relations.RESERVED) + 1
    assert seed[-1] == "owned_by,directed,one,true,false"
    assert set(files(project)) == {"models/landing/contextful.yml", relations.SEED.as_posix()}


def test_import_overwrites_nothing(run, project, toml):
    run("import", toml(TOML))
    assert "models/landing/contextful.yml exists" in refused(run, project, toml(TOML.replace("owned_by", "another")))
    assert "the name `claims` is already taken" in refused(run, project, toml(TOML, "other.toml"))


@pytest.mark.rule("declare.relation-traits")
def test_a_relation_is_a_bare_name_or_its_traits(run, project, toml):
    run(
        "import",
        toml('[relation]\ndeclared = ["a", {name = "b", direction = "undirected"}, {name = "c", walkable = true}]'),
    )
    declared, wrong = relations.read(project)
    assert wrong == []
    assert [one.row() for one in declared[-3:]] == [
        ["a", "directed", "many", "false", "false"],
        ["b", "undirected", "many", "false", "false"],
        ["c", "directed", "many", "true", "false"],
    ]
    again = run("import", toml('[relation]\ndeclared = ["a", "d"]'))
    assert json.loads(again.stdout)["relations"] == ["d"]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[[table]]\nname = 'x'", "list its `columns`, or name a shape"),
        ("[[table]]\nshape = 'outcomes'", "without a `name`"),
        ("[[table]]\nname = 'x'\nshape = 'outcomes'\noops = 1", "unknown key `oops`"),
        (
            "[[table]]\nname = 'x'\nshape = 'outcomes'\ncolumns = [{name = 'metric', data_type = 'text'}]",
            "ColumnMissing",
        ),
        ("[[table]]\nname = 'x'\ncolumns = [{name = 'a', type = 'text'}]", "write each of `columns`"),
        ("[[job]]\nname = 'x'", "unknown `job`"),
        ("[relation]\nknown = []", "`relation` holds only `declared`"),
        ("[relation]\ndeclared = ['']", "a relation without a name"),
        (
            "[relation]\ndeclared = ['about', {name = 'supports', walkable = false}]",
            "declared already, with other traits",
        ),
        ("[relation]\ndeclared = [{name = 'a', direction = 'up'}]", "direction is one of"),
        ("[relation]\ndeclared = [{name = 'a', cardinality = 'few'}]", "cardinality is one of"),
        ("[relation]\ndeclared = [{name = 'a', walkable = 'yes'}]", "true or false"),
        ("[relation]\ndeclared = [{name = 'a', reserved = true}]", "write a relation as"),
        ("= nonsense", "cannot be read as TOML"),
    ],
)
def test_a_toml_file_at_fault_writes_nothing(run, project, toml, said, text):
    assert said in refused(run, project, toml(text))


def test_a_table_at_fault_leaves_the_relations_alone(run, project, toml):
    refused(run, project, toml(TOML.replace("settled", "unsettled", 1)))


def test_list(run, toml):
    run("import", toml(TOML))
    listed = json.loads(run("list").stdout)["tables"]
    assert [(one["table"], one["shape"], one["key"]) for one in listed] == [
        ("claims", "memory_facts", ["claim_id", "valid_from"]),
        ("settled", "outcomes", ["prediction_id"]),
        ("orders", None, ["id"]),
    ]


def test_check_reports_every_fault_and_exits_with_one(run, project, toml):
    run("import", toml(TOML))
    sound = run("check")
    assert (sound.exit_code, json.loads(sound.stdout)) == (0, {"tables": 3, "relations": 6, "faults": []})
    path = project / "models/landing/contextful.yml"
    path.write_text(
        path.read_text()
        .replace("labels: settled", "labels: nope\n          oops: 1")
        .replace("name: metric", "name: m")
    )
    seed = project / relations.SEED
    seed.write_text(
        seed.read_text()
        .replace("owned_by,directed,one", "owned_by,up,few")
        .replace("about,directed", "about,undirected")
    )
    faulty = run("check")
    report = json.loads(faulty.stdout)
    assert faulty.exit_code == 1
    told = " ".join(fault["message"] for fault in report["faults"])
    for said in ("`oops`", "`nope`", "`metric`", "direction", "cardinality", "`about` is reserved"):
        assert said in told
    assert {fault["identifier"] for fault in report["faults"]} == {"DeclarationMalformed", "MemoryShapeColumnMissing"}


def test_check_finds_zones_that_duckdb_lacks(run, project, toml, monkeypatch):
    columns = ", ".join(
        f"{{name = '{n}', data_type = '{c.data_type}'}}" for n, c in SHAPES["memory_preferences"].columns.items()
    )
    text = (
        "[[table]]\nname = 'p'\nshape = 'memory_preferences'\n"
        "available_time = {column = 'seen', zone = 'Mars/Olympus'}\n"
        f"columns = [{columns}, {{name = 'seen', data_type = 'timestamptz'}}]"
    )
    assert "no known time zone" in refused(run, project, toml(text))
    monkeypatch.setattr("contextful_cli.table_rules._is_zone", lambda zone: True)
    run("import", toml(text))
    assert "DuckDB knows no time zone `Mars/Olympus`" in run("check").stdout


@pytest.mark.parametrize("verb", ["list", "check", "import"])
def test_every_verb_shows_an_example(run, verb):
    assert f"Example: contextful declare {verb}" in run(verb, "--help").stdout


class Terminal:
    """A standard output that says it is a terminal."""

    encoding = "utf-8"

    def __init__(self):
        self.text = ""

    def isatty(self):
        return True

    def write(self, text):
        self.text += text

    def flush(self):
        pass


def test_a_terminal_gets_a_table_and_no_control_characters(monkeypatch):
    terminal = Terminal()
    monkeypatch.setattr("sys.stdout", terminal)
    monkeypatch.setenv("NO_COLOR", "1")
    monkeypatch.setenv("TERM", "dumb")
    output.emit({"rows": [{"subject": "a[b]\x1b]0;x\x07", "n": None}], "tables": 2}, as_json=False)
    assert "a[b]\N{REPLACEMENT CHARACTER}]0;x" in terminal.text
    assert "\x1b]" not in terminal.text
    assert "tables  2" in terminal.text
    terminal.text = ""
    output.emit({"a": "ü"}, as_json=True)
    assert terminal.text == '{"a": "ü"}\n'


def test_a_malformed_list_of_agents_is_a_fault(compiled: Home, tmp_path: Path) -> None:
    project = tmp_path / "project"
    shutil.copytree(compiled.project, project)
    (project / "agents.yml").write_text("agents: {scribe: [no key]}")
    (fault,) = declaring.check(project)["faults"]
    assert fault["identifier"] == "DeclarationMalformed"
    assert "scribe" in fault["message"]
