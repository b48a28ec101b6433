"""Declarations: read from the dbt sources, refused by name."""

import subprocess
import sys
import time

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from contextful_cli import datatypes, declaration
from contextful_cli.declaration import ENGINE_COLUMNS, SHAPES
from contextful_cli.errors import ContextfulError


def entry(name, columns=None, **meta):
    """A table of the YAML; without columns, those of its shape."""
    shape = SHAPES.get(meta.get("shape"))
    columns = columns or ({n: c.data_type for n, c in shape.columns.items()} if shape else {"id": "varchar"})
    listed = [{"name": column, "data_type": data_type} for column, data_type in columns.items()]
    return {"name": name, "config": {"meta": {"contextful": meta, "grain": "another tool's"}}, "columns": listed}


@pytest.fixture
def project(tmp_path):
    """Writes `file=[entries]` as sources, and gives the project's folder."""

    def write(**files):
        for name, tables in files.items():
            path = tmp_path / f"models/landing/{name}.yml"
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(yaml.safe_dump({"version": 2, "sources": [{"name": "landing", "tables": tables}]}))
        return tmp_path

    return write


def refused(folder, identifier="DeclarationMalformed"):
    with pytest.raises(ContextfulError) as caught:
        declaration.load(folder)
    assert caught.value.identifier == identifier
    return caught.value.message


def shape_columns(shape, *without, **other):
    columns = {name: column.data_type for name, column in SHAPES[shape].columns.items() if name not in without}
    return columns | other


def test_tables_come_in_order_of_file_and_position(project):
    folder = project(b=[entry("z"), entry("a")], a=[entry("m")])
    assert [(t.name, t.file, t.position) for t in declaration.load(folder)] == [
        ("m", "models/landing/a.yml", 0),
        ("z", "models/landing/b.yml", 0),
        ("a", "models/landing/b.yml", 1),
    ]


def test_no_models_no_tables(tmp_path):
    assert declaration.load(tmp_path) == []


def test_other_sources_and_model_pages_are_none_of_ours(project):
    folder = project(a=[entry("mine")])
    (folder / "models/other.yml").write_text("sources: [{name: erp, tables: [{name: landing}]}]\n")
    (folder / "models/models.yml").write_text("models: [{name: m, description: 'sources, landing: x'}]\n")
    assert [table.name for table in declaration.load(folder)] == ["mine"]


def test_what_a_table_says(project):
    columns = shape_columns("memory_facts", filed_at="timestamp with time zone", digest="text", extra="DECIMAL(10, 2)")
    said = {
        "shape": "memory_facts",
        "max_rows": 500,
        "trust": "operator",
        "decay_half_life": "90d",
        "time_to_live": "12h",
        "labels": "settled",
        "subject_column": "subject",
        "available_time": {"column": "filed_at", "zone": "Europe/Berlin", "content_hash_column": "digest"},
    }
    tables = declaration.load(project(a=[entry("claims", columns, **said), entry("settled", shape="outcomes")]))
    table = declaration.find(tables, "claims")
    assert (table.max_rows, table.trust, table.decay_half_life, table.time_to_live) == (500, "operator", 7776000, 43200)
    assert (table.labels, table.subject_column, table.key) == ("settled", "subject", ["claim_id", "valid_from"])
    assert (table.available_time.column, table.available_time.zone) == ("filed_at", "Europe/Berlin")
    assert table.columns["filed_at"] == "timestamptz"
    assert table.columns["extra"] == "decimal(10,2)"
    assert declaration.find(tables, "Claims") is None


def test_what_a_table_does_not_say(project):
    (table,) = declaration.load(project(a=[entry("t")]))
    assert (table.shape, table.key, table.trust, table.max_rows) == (None, [], "ingested:third-party", None)
    assert (table.available_time, table.observed_at, table.labels, table.time_to_live) == (None, None, None, None)


def test_the_lake_tables_of_claims_and_of_others(project):
    claims, source = declaration.load(project(a=[entry("c", shape="memory_facts"), entry("t")]))
    assert list(claims.lake_tables()) == ["c", "c_closures", "c_letters"]
    assert all(
        list(columns)[-len(ENGINE_COLUMNS) :] == list(ENGINE_COLUMNS) for columns in claims.lake_tables().values()
    )
    assert source.lake_tables() == {"t": {"id": "varchar", **ENGINE_COLUMNS}}


@pytest.mark.rule("declare.canonical-column")
@pytest.mark.parametrize("shape", SHAPES)
def test_a_shape_takes_its_canonical_columns_and_more(project, shape):
    columns = shape_columns(shape, another="bigint")
    (table,) = declaration.load(project(a=[entry("t", columns, shape=shape)]))
    assert list(table.columns) == list(columns)


@pytest.mark.rule("declare.canonical-column")
@pytest.mark.parametrize(
    ("shape", "column"), [(s.name, name) for s in SHAPES.values() for name, c in s.columns.items() if not c.optional]
)
def test_each_missing_canonical_column_refuses(project, shape, column):
    said = refused(project(a=[entry("t", shape_columns(shape, column), shape=shape)]), "MemoryShapeColumnMissing")
    assert f"`{column}`" in said


@pytest.mark.rule("declare.canonical-column")
def test_every_missing_column_of_every_table_is_named(project):
    one = entry("one", shape_columns("memory_facts", "tier", "agent"), shape="memory_facts")
    two = entry("two", shape_columns("memory_episodes", "text"), shape="memory_episodes", oops=1)
    said = refused(project(a=[one], b=[two, entry("bad", {"x": "varchat"})]), "MemoryShapeColumnMissing")
    assert "`one` (memory_facts) lacks `tier`, `agent`" in said
    assert "`two` (memory_episodes) lacks `text`" in said


@pytest.mark.rule("declare.canonical-column")
def test_an_edge_may_have_no_validity_or_one_side_of_it(project):
    columns = shape_columns("memory_edges", "valid_from", "valid_to")
    tables = [
        entry("bare", columns, shape="memory_edges"),
        entry("ends", columns | {"valid_to": "timestamptz"}, shape="memory_edges"),
    ]
    assert len(declaration.load(project(a=tables))) == 2
    wrong = entry("wrong", columns | {"valid_from": "date"}, shape="memory_edges")
    assert "`valid_from` is date; memory_edges wants timestamptz" in refused(project(a=[wrong]))


CLAIMS = shape_columns("memory_facts", seen="timestamptz", digest="varchar", n="bigint")


@pytest.mark.parametrize(
    ("table", "said"),
    [
        (entry("t", shape="memory_fact"), "unknown shape `memory_fact`"),
        (entry("t", retention="1d"), "unknown key `retention`"),
        (entry("t", {"x": "varchat"}), "column `x` has the data_type `varchat`"),
        (entry("t", {"x": None}), "column `x` has no data_type"),
        (entry("t", {"x": "varchar", "X": "varchar"}), "column `X` is declared twice"),
        (entry("t", {"_run_id": "varchar"}), "column `_run_id` is the engine's"),
        (entry("t", {"_x": "varchar"}), "column `_x` has a reserved or unusable name"),
        (entry("t", {'a"b': "varchar"}), "has a reserved or unusable name"),
        (entry("_t"), "begin a table's name with a letter"),
        (entry("all_memory_facts"), "the name is reserved"),
        (entry("source_versions"), "the name is reserved"),
        (entry("t", key=["nope"]), "`key` names `nope`"),
        (entry("t", key="id"), "`key`: write a list"),
        (entry("t", key=["id", "id"]), "`key` names a column twice"),
        (entry("t", {"id": "varchar[]"}, key=["id"]), "a key column is a scalar"),
        (entry("t", observed_at="nope"), "`observed_at` names `nope`"),
        (entry("t", observed_at="id"), "`observed_at` names `id`, a varchar"),
        (entry("t", subject_column="nope"), "`subject_column` names `nope`"),
        (entry("t", max_rows=0), "`max_rows`"),
        (entry("t", max_rows=True), "`max_rows`"),
        (entry("t", max_rows="5"), "`max_rows`"),
        (entry("t", trust="first-party"), "`trust`: write one of"),
        (entry("t", labels="x"), "`labels` is for tables of shape memory_facts"),
        (entry("t", available_time={"column": "id"}), "`available_time` is for tables with a shape"),
        (entry("t", shape="memory_facts", key=["claim_id"]), "`key` is for tables without a shape"),
        (entry("t", shape="memory_facts", decay_half_life="90"), "`decay_half_life`: write a duration"),
        (entry("t", shape="memory_facts", time_to_live="0d"), "`time_to_live`: write a duration"),
        (entry("t", shape="memory_facts", labels="nope"), "`labels` names `nope`"),
        (entry("t", shape="memory_facts", labels="t"), "`labels` names `t`, which is no table of shape outcomes"),
        (entry("t", shape="outcomes", predictions="t"), "which is no table of shape predictions"),
        (entry("t", shape_columns("memory_facts", confidence="float"), shape="memory_facts"), "`confidence` is float"),
    ],
)
def test_what_refuses_says_so_by_name(project, table, said):
    message = refused(project(a=[table]))
    assert said in message
    assert f"models/landing/a.yml: table `{table['name']}`" in message


@pytest.mark.rule("declare.availability")
@pytest.mark.parametrize(
    ("available", "said"),
    [
        ({"column": "nope"}, "`available_time.column` names `nope`"),
        ({"column": "digest"}, "`available_time.column` names `digest`, a varchar; it must be timestamptz"),
        ({"column": "valid_from"}, "a column of the shape"),
        ({"column": "seen", "content_hash_column": "n"}, "names `n`, a bigint; it must be varchar"),
        ({"column": "seen", "zone": "Europe/Bielefeld"}, "`available_time.zone` is `Europe/Bielefeld`"),
        ({"column": "seen", "zone": "../etc/passwd"}, "no known time zone"),
        ({"column": "seen", "offset": 1}, "unknown key `offset` in available_time"),
        ({"zone": "UTC"}, "write a mapping with `column`"),
        ("seen", "write a mapping with `column`"),
    ],
)
def test_an_available_time_at_fault_refuses(project, available, said):
    assert said in refused(project(a=[entry("t", CLAIMS, shape="memory_facts", available_time=available)]))


@pytest.mark.rule("declare.availability")
def test_the_zone_is_utc_unless_said(project):
    (table,) = declaration.load(
        project(a=[entry("t", CLAIMS, shape="memory_facts", available_time={"column": "seen"})])
    )
    assert (table.available_time.zone, table.available_time.content_hash_column) == ("UTC", None)


def test_names_taken_twice_refuse(project):
    assert "the name `t` is already taken by models/landing/a.yml" in refused(project(a=[entry("t")], b=[entry("t")]))


@pytest.mark.parametrize("beside", ["c_closures", "C_LETTERS", "c_history"])
def test_a_name_kept_beside_a_claims_table_refuses(project, beside):
    assert "is already taken by" in refused(project(a=[entry("c", shape="memory_facts"), entry(beside)]))


def test_side_tables_of_two_claims_tables_may_not_meet(project):
    folder = project(a=[entry("c", shape="memory_facts"), entry("c_letters", shape="memory_facts")])
    assert "`c_letters` is already taken" in refused(folder)


def test_all_faults_are_told_at_once(project):
    _, faults = declaration.read(project(a=[entry("t", {"x": None}, oops=1, key=["nope"]), entry("all_x")]))
    assert len(faults) == 4


@pytest.mark.parametrize(
    "text",
    [
        "sources: [{name: landing, tables: [{columns: []}]}]",
        "sources: [{name: landing, tables: 5}]",
        "sources: [{name: landing, tables: [{name: t, columns: 5}]}]",
        "sources: [{name: landing, tables: [{name: t}]}]",
        "sources: [{name: landing, tables: [{name: t, meta: {contextful: {}}, columns: [{name: a, data_type: int}]}]}]",
        "sources: [{name: landing, config: {meta: {contextful: {trust: operator}}}, tables: []}]",
        "sources: [{name: landing, tables: [",
        "sources: 5 # landing",
    ],
)
def test_yaml_of_another_form_refuses(tmp_path, text):
    (tmp_path / "models").mkdir()
    (tmp_path / "models/a.yml").write_text(text)
    assert "models/a.yml: " in refused(tmp_path)


@pytest.mark.parametrize(
    ("text", "same"),
    [
        ("STRING", "varchar"),
        ("Timestamp  With Time Zone", "timestamptz"),
        ("numeric(5 , 2)", "decimal(5,2)"),
        ('STRUCT("table" VARCHAR, run text)[]', 'struct("table" varchar, "run" varchar)[]'),
        ("struct(a struct(b int[]))", 'struct("a" struct("b" integer[]))'),
    ],
)
def test_spellings_of_a_type(text, same):
    assert datatypes.normalise(text) == same


@pytest.mark.parametrize(
    "text",
    ["varchar(5)", "decimal(39,2)", "decimal(2,3)", "struct()", "struct(a int, A int)", "map(int, int)", "", "[]"],
)
def test_types_that_are_not_accepted(text):
    with pytest.raises(ValueError, match=r"\w"):
        datatypes.normalise(text)


TYPES = st.recursive(
    st.sampled_from([*datatypes.SCALARS, "decimal(10,2)"]),
    lambda inner: st.one_of(
        inner.map("{}[]".format),
        st.lists(inner, min_size=1, max_size=3).map(
            lambda p: f"struct({', '.join(f'f{i} {t}' for i, t in enumerate(p))})"
        ),
    ),
)


@given(TYPES)
def test_normalising_is_done_once(text):
    once = datatypes.normalise(text)
    assert datatypes.normalise(once) == once
    assert datatypes.normalise(text.upper().replace("F", "f")) == once or "float" in text


def test_reading_ten_tables_is_quick_and_imports_little(project):
    folder = project(**{f"t{i}": [entry(f"t{i}", shape="memory_facts")] for i in range(10)})
    heavy = "{'pydantic', 'dbt', 'duckdb', 'typer', 'rich'} & set(sys.modules)"
    code = (
        f"import sys; from contextful_cli import declaration; declaration.load(sys.argv[1]); print({heavy} or 'none')"
    )
    ran = subprocess.run([sys.executable, "-c", code, str(folder)], capture_output=True, text=True, check=True)
    assert ran.stdout.strip() == "none"
    begun = time.process_time()
    declaration.load(folder)
    assert time.process_time() - begun < 0.5
