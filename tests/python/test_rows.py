"""Staging a file to land: all rows or none, and the row and column at fault by name."""

import io
import json
from pathlib import Path
from types import SimpleNamespace

import duckdb
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from contextful_cli import instants, relations
from contextful_cli.declaration import SHAPES, AvailableTime, Table
from contextful_cli.errors import ContextfulError
from contextful_cli.landing.forms import text_form
from contextful_cli.rows import stage_file
from contextful_cli.tables import Declared

ORDERS = {"id": "varchar", "n": "bigint", "price": "double", "paid": "decimal(6,2)", "at": "timestamptz", "day": "date"}
EDGES = {name: column.data_type for name, column in SHAPES["memory_edges"].columns.items()}


@pytest.fixture
def con():
    con = duckdb.connect()
    con.execute("set TimeZone='UTC'")
    yield con
    con.close()


def table(columns=ORDERS, project=Path(), **declared) -> Table:
    return Table("orders", "models/landing/orders.yml", 0, dict(columns), Declared(**declared), project)


@pytest.fixture
def stage(con, tmp_path):
    """Write the content to a file and stage it; gives the staged rows, instants as text."""

    def run(content, fmt="csv", of=None):
        path = tmp_path / f"rows.{fmt}"
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        of = of or table()
        count = stage_file(con, of, path, fmt)
        casts = {"timestamptz": "strftime({}, '%Y-%m-%dT%H:%M:%S.%fZ')", "date": "cast({} as varchar)"}
        columns = ", ".join(casts.get(kind, "{}").format(f'"{name}"') for name, kind in of.columns.items())
        rows = con.execute(f"select {columns} from staged order by rowid").fetchall()
        assert count == len(rows)
        return rows

    return run


def refused(stage, *args, **kwargs) -> str:
    with pytest.raises(ContextfulError) as caught:
        stage(*args, **kwargs)
    assert caught.value.identifier == "LandingMalformed"
    return caught.value.message


def one(column, data_type, **declared):
    return table({"id": "varchar", column: data_type}, **declared)


def test_a_csv_with_bom_crlf_and_a_quoted_newline(stage):
    rows = stage(b'\xef\xbb\xbfid,n,at,_run_id\r\n"a\r\nb",7,2026-01-31T09:30:00+02:00,x\r\n"",,,\r\n')
    assert rows == [("a\r\nb", 7, None, None, "2026-01-31T07:30:00.000000Z", None), ("", None, None, None, None, None)]


def test_rows_keep_their_order(con, stage):
    n = 300_000
    stage("id,n\n" + "".join(f"{i},{i}\n" for i in range(n)))
    assert con.execute("select count(*) from staged where n <> rowid").fetchone() == (0,)


def test_engine_columns_of_the_producer_are_dropped(con, stage):
    stage('{"id": "a", "_ingested_at": 5, "_taint": "operator"}\n', "jsonl")
    assert [name for name, *_ in con.execute("describe staged").fetchall()] == list(ORDERS)


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"id,n\na,1\nb\n", "row 2: 1 values where the header has 2"),
        (b'id,n\n"a\n",1\nb,1,2\n', "row 2: 3 values where the header has 2"),
        (b"id,n\na,1\n\xff\xfe,2\n", "row 2: it is not UTF-8"),
        (b'id,n\na,1\n"b,2\n', "row 2: a quote is not closed"),
        (b"id,who,_site\na,1,2\n", "`who`, `_site`"),
        (b"id,id\na,1\n", "named twice: `id`"),
        (b"", "empty"),
        (b"\xff\xfei\x00d\x00\n", "UTF-8"),
    ],
)
def test_a_csv_that_cannot_be_read_refuses(stage, content, said):
    assert said in refused(stage, content)


@pytest.mark.parametrize(
    ("data_type", "good", "bad"),
    [
        ("bigint", ["7", "-9223372036854775808"], ["7.0", "9223372036854775808", " 7", "0x7", "1e3", "+7"]),
        ("utinyint", ["255"], ["256", "-1"]),
        ("double", ["1e3", ".5", "-0"], ["nan", "inf", "1e400", "-Infinity", "1_000"]),
        ("decimal(6,2)", ["1234.50", "1.500"], ["12345.00", "1.505", "1e2", "nan"]),
        ("boolean", ["true", "False"], ["1", "t", "yes"]),
        (
            "date",
            ["2024-02-29", "0001-01-01"],
            ["2023-02-29", "2024-2-1", "0000-12-31", "10000-01-01", "2024-01-01 00:00"],
        ),
        ("timestamp", ["2024-02-29T23:59:59.123456", "2024-01-01 00:00:00"], ["2024-01-01T24:00:00", "2024-01-01"]),
        ("uuid", ["6fa459ea-ee8a-3ca4-894e-db77e160355e"], ["6fa459eaee8a3ca4894edb77e160355e"]),
        ("varchar", ["NaN"], ["a\0b"]),
        ("varchar[]", ['"[""a"", ""b""]"'], ["a", '"[1]"', '"[null]"', '"{""a"": 1}"']),
        (
            "timestamptz",
            [
                "2026-01-01t00:00:00z",
                "0001-01-01T00:00:00Z",
                "9999-12-31T23:59:59.999999Z",
                "2026-01-01T00:00:00.1234560Z",
            ],
            [
                "2026-01-01",
                "2026-01-01T00:00:00",
                "2026-01-01T00:00:00.1234567Z",
                "2026-01-01T24:00:00Z",
                "2026-01-01T23:59:60Z",
                "9999-12-31T23:59:59-01:00",
                "0001-01-01T00:00:00+01:00",
                "2026-02-30T00:00:00Z",
            ],
        ),
    ],
)
def test_forms_of_csv_cells(stage, data_type, good, bad):
    declared = one("v", data_type)
    assert len(stage("id,v\n" + "".join(f"a,{text}\n" for text in good), of=declared)) == len(good)
    for text in bad:
        said = refused(stage, "id,v\n" + "".join(f"a,{cell}\n" for cell in [*good, text]), of=declared)
        assert said.startswith(f"row {len(good) + 1}, column `v`: expected "), text


@pytest.mark.parametrize(
    ("data_type", "good", "bad"),
    [
        ("varchar", ['"5"', "null"], ["5", "true", '["a"]', '"a\\u0000b"']),
        ("bigint", ["5"], ['"5"', "5.0", "123456789012345678901", "true"]),
        ("double", ["5", "0.5", "1E3"], ['"0.5"', "NaN", "Infinity", "1e400"]),
        ("decimal(6,2)", ["5", "0.5", '"1.25"'], ["0.505", '"x"']),
        ("decimal(20,2)", ["5", '"123456789012345678.25"'], ["1234567890123456.25"]),
        ("boolean", ["true"], ['"true"', "1"]),
        ("varchar[]", ['["a"]', "[]"], ["[1]", '"a"', "[null]", '["a\\u0000"]']),
        ("timestamptz", ['"2026-01-01T00:00:00Z"'], ["1767225600", '"2026-01-01"']),
        (
            "struct(a bigint, b struct(c varchar)[])[]",
            ['[{"a": 1, "b": [{"c": "x"}]}, {"a": null}, {}]'],
            [
                '[{"a": "1"}]',
                '[{"z": 1}]',
                '[{"a": 1, "a": 2}]',
                '{"a": 1}',
                '[{"b": [{"c": 1}]}]',
                "[5]",
                "[{}, null]",
            ],
        ),
    ],
)
def test_forms_of_json_values(stage, data_type, good, bad):
    from contextful_cli.datatypes import normalise

    declared = one("v", normalise(data_type))
    lines = [f'{{"id": "a", "v": {text}}}\n' for text in good]
    assert len(stage("".join(lines), "jsonl", declared)) == len(good)
    for text in bad:
        said = refused(stage, "".join(lines) + f'{{"id": "a", "v": {text}}}\n', "jsonl", declared)
        assert said.startswith(f"row {len(good) + 1}, column `v`: expected "), text


@pytest.mark.parametrize(
    ("line", "said"),
    [
        (b'{"id": "a"', "row 2: expected one JSON object"),
        (b'["a"]', "row 2: expected one JSON object"),
        (b'{"id": "a"} {"id": "b"}', "row 2: expected one JSON object"),
        (b'{"id": "\xff"}', "row 2: expected one JSON object"),
        (b'{"id": "a", "id": "b"}', "row 2: columns named twice: `id`"),
        (b'{"id": "a", "who": 1}', "row 2: models/landing/orders.yml: table `orders` declares no column `who`"),
    ],
)
def test_a_line_that_is_no_row_refuses(con, stage, line, said):
    assert said in refused(stage, b'\xef\xbb\xbf{"id": "a"}\n' + line + b"\n", "jsonl")
    assert con.execute("select count(*) from duckdb_tables()").fetchone() == (0,)


def test_nested_values_are_kept(stage):
    value = [{"a": 1, "b": "ü \\u0000 🙂", "c": {"d": 1.5}}, {"a": None, "b": None, "c": None}]
    kind = 'struct("a" bigint, "b" varchar, "c" struct("d" double))[]'
    assert stage(json.dumps({"id": "a", "v": value}), "jsonl", one("v", kind)) == [("a", value)]


def test_standard_input_is_jsonl(con, monkeypatch):
    monkeypatch.setattr("sys.stdin", SimpleNamespace(buffer=io.BytesIO(b'{"id": "a"}\n{"id": "b"}\n')))
    assert stage_file(con, table(), "-") == 2


def test_a_file_name_is_no_pattern(con, tmp_path):
    (tmp_path / "rows[1]*.csv").write_text("id\na\n")
    assert stage_file(con, table(), tmp_path / "rows[1]*.csv") == 1


@pytest.mark.parametrize("name", ["rows.xml", "absent.csv"])
def test_no_such_format_or_file(con, tmp_path, name):
    with pytest.raises(ContextfulError, match="LandingMalformed"):
        stage_file(con, table(), tmp_path / name)


def parquet(con, tmp_path, select, of):
    con.execute(f"copy ({select}) to '{tmp_path}/rows.parquet' (format parquet)")
    return stage_file(con, of, tmp_path / "rows.parquet")


@pytest.mark.parametrize(
    ("data_type", "value"),
    [
        ("bigint", "5::integer"),
        ("integer", "5::bigint"),
        ("double", "0.5::decimal(3,1)"),
        ("double", "0.5::float"),
        ("decimal(6,2)", "0.5::double"),
        ("varchar", "'a'"),
        ("boolean", "true"),
        ("timestamptz", "timestamptz '2026-01-01 00:00:00+00'"),
        ("timestamptz", "date '2026-01-01'"),
        ("timestamptz", "'2026-01-01T00:00:00Z'"),
        ("timestamp", "timestamp_ns '2026-01-01 00:00:00.123456'"),
        ("varchar[]", "['a', 'b']"),
        ("varchar[]", "'[\"a\"]'"),
        ('struct("a" bigint)[]', "[{'a': 5}]"),
        ("uuid", "uuid()"),
    ],
)
def test_forms_of_parquet_values(con, tmp_path, data_type, value):
    assert parquet(con, tmp_path, f"select 'a' as id, {value} as v", one("v", data_type)) == 1


@pytest.mark.parametrize(
    ("data_type", "value"),
    [
        ("integer", "3000000000"),
        ("bigint", "5.5::double"),
        ("bigint", "true"),
        ("double", "'nan'::double"),
        ("double", "9007199254740993"),
        ("float", "0.1::double"),
        ("decimal(6,2)", "0.505::double"),
        ("varchar", "5"),
        ("varchar", "'a' || chr(0)"),
        ("boolean", "1"),
        ("date", "'infinity'::date"),
        ("timestamptz", "timestamp '2026-01-01 00:00:00'"),
        ("timestamptz", "'infinity'::timestamptz"),
        ("timestamp", "timestamp_ns '2026-01-01 00:00:00.123456789'"),
        ("varchar[]", "[5]"),
        ('struct("a" bigint)[]', "[{'b': 5}]"),
        ("varchar", "'a'::blob"),
    ],
)
def test_parquet_values_of_another_form_refuse(con, tmp_path, data_type, value):
    with pytest.raises(ContextfulError, match=r"^LandingMalformed: row 1, column `v`: expected "):
        parquet(con, tmp_path, f"select 'a' as id, {value} as v", one("v", data_type))


def test_a_date_of_a_parquet_file_is_its_midnight(con, tmp_path):
    parquet(con, tmp_path, "select 'a' as id, date '2026-07-01' as v", one("v", "timestamptz"))
    assert con.execute("select v = timestamptz '2026-07-01 00:00:00+00' from staged").fetchone() == (True,)


def test_key_columns_are_required(stage):
    keyed = table(key=("id", "n"))
    assert "row 2, column `n`: expected" in refused(stage, "id,n\na,1\nb,\n", of=keyed)
    assert "lacks `n`" in refused(stage, "id\na\n", of=keyed)
    assert "row 1, column `n`: expected" in refused(stage, '{"id": "a"}', "jsonl", keyed)


@pytest.mark.parametrize("blank", ["", " ", "\u00a0", "\u2003\t"])
def test_what_names_something_in_a_shape_is_not_blank(stage, blank):
    entities = table(
        {name: c.data_type for name, c in SHAPES["memory_entities"].columns.items()}, shape="memory_entities"
    )
    line = {"entity_id": "e", "kind": "person", "name": blank}
    assert "row 1, column `name`: " in refused(stage, json.dumps(line), "jsonl", entities)
    assert stage(json.dumps(line | {"name": "İ"}), "jsonl", entities) == [("e", "person", "İ", [])]


def test_free_text_may_be_blank_but_not_null(stage):
    columns = {name: c.data_type for name, c in SHAPES["memory_preferences"].columns.items()}
    preferences = table(columns, shape="memory_preferences")
    line = {"preference_id": "p", "subject": "s", "key": "k", "value": ""}
    assert stage(json.dumps(line), "jsonl", preferences) == [("p", "s", "k", "", None)]
    assert "column `value`" in refused(stage, json.dumps(line | {"value": None}), "jsonl", preferences)


def edge(**other):
    return json.dumps({"edge_id": "e", "rel_type": "supports", "source_id": "a", "target_id": "b"} | other) + "\n"


@pytest.mark.rule("declare.undeclared-relation")
def test_an_edge_of_an_undeclared_type_refuses_the_file(con, stage, tmp_path):
    edges = table(EDGES, shape="memory_edges", project=tmp_path)
    with pytest.raises(ContextfulError, match=r"MemoryUndeclaredRelation.*`owned_by`"):
        stage(edge() + edge(rel_type="owned_by"), "jsonl", edges)
    assert con.execute("select count(*) from duckdb_tables()").fetchone() == (0,)
    (tmp_path / relations.SEED).parent.mkdir(parents=True)
    (tmp_path / relations.SEED).write_text("rel_type,direction\nowned_by,directed\n")
    assert len(stage(edge() + edge(rel_type="owned_by"), "jsonl", edges)) == 2


def test_a_digest_of_the_producer_is_discarded(stage):
    cited = [{"table": "t", "run": "r", "seq": 3, "key_digest": "forged"}]
    row = stage(edge(evidence=cited), "jsonl", table(EDGES, shape="memory_edges"))[0]
    assert row[4] == [{"table": "t", "run": "r", "seq": 3, "key_digest": None}]


@pytest.mark.rule("declare.availability")
def test_the_available_time_is_read_in_its_zone(stage):
    zoned = one("seen", "timestamptz", shape=None, available_time=AvailableTime("seen", "Europe/Berlin"))
    rows = stage("id,seen\na,2026-07-01T12:00:00\nb,2026-07-01T12:00:00Z\nc,2026-01-01 12:00:00.5\n", of=zoned)
    assert [seen for _, seen in rows] == [
        "2026-07-01T10:00:00.000000Z",
        "2026-07-01T12:00:00.000000Z",
        "2026-01-01T11:00:00.500000Z",
    ]
    assert "column `seen`" in refused(stage, "id,seen\na,2026-07-01\n", of=zoned)
    utc = one("seen", "timestamptz", available_time=AvailableTime("seen"))
    assert stage("id,seen\na,2026-07-01T12:00:00\n", of=utc)[0][1] == "2026-07-01T12:00:00.000000Z"


def test_a_refused_file_leaves_nothing_staged(con, stage):
    stage("id\na\n")
    refused(stage, "id,n\na,x\n")
    assert con.execute("select count(*) from duckdb_tables()").fetchone() == (0,)


PARTS = st.builds(
    "{}-{}-{}{}{}:{}:{}{}{}".format,
    st.sampled_from(["0000", "0001", "1900", "2024", "9999"]),
    st.sampled_from(["00", "01", "02", "12", "13"]),
    st.sampled_from(["00", "01", "28", "29", "31"]),
    st.sampled_from(["T", "t", " ", ""]),
    st.sampled_from(["00", "23", "24"]),
    st.sampled_from(["00", "59", "60"]),
    st.sampled_from(["00", "59", "60"]),
    st.sampled_from(["", ".", ".1", ".123456", ".1234560", ".1234567", ".000000001"]),
    st.sampled_from(["Z", "z", "+00:00", "-00:00", "+23:59", "-23:59", "+24:00", "", "+1", "+0100"]),
)


@given(st.lists(PARTS, min_size=1, max_size=30))
@example(["2024-02-29T00:00:00-23:59", "0000-12-31T23:59:59-23:59"])
def test_sql_and_python_read_stored_instants_alike(texts):
    form = text_form("timestamptz", "text")
    con = duckdb.connect()
    con.execute("set TimeZone='UTC'")
    query = (
        f"select case when coalesce({form.ok}, false) then epoch_us({form.value}) end from (select unnest($1) as text)"
    )
    assert [us for (us,) in con.execute(query, [texts]).fetchall()] == [python_us(text) for text in texts]


def python_us(text):
    try:
        return instants.stored("at", text)
    except ContextfulError:
        return None
