"""Rows computed by a dbt model, as `--from-model` reads them: from the published copy, once the model is built."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from contextful_cli import duck, published, warehouse
from contextful_cli.errors import ContextfulError
from contextful_cli.settings import Home

if TYPE_CHECKING:
    import duckdb

    from contextful_cli.caller import Caller


def open_built(home: Home, model: str) -> "duckdb.DuckDBPyConnection":
    """Build a model and all it rests on, then a private connection with the published copy that holds it."""
    if not model.replace("_", "").isalnum():
        raise ContextfulError("ArgumentMalformed", f"{model!r} is no model's name")
    warehouse.build(home, warehouse.select([model]), compact=False)
    con = duck.connect()
    if published.attach(con, home) is None:
        raise ContextfulError("BuildFailed", "the build published no copy; run `contextful doctor`")
    return con


@dataclass(frozen=True, slots=True)
class ModelRows:
    """The rows of a model, as a Parquet file."""

    model: str
    file: Path


@contextmanager
def exported(caller: "Caller", model: str) -> Iterator[ModelRows]:
    """A model's rows, built first; the file lives as long as the block. A build reads everything: operator only."""
    if not caller.rights.is_operator:
        raise ContextfulError("RequestRefused", "--from-model builds the model, which takes the operator's credential")
    con = open_built(caller.home, model)
    with TemporaryDirectory(dir=caller.home.root) as folder:
        file = Path(folder) / f"{model}.parquet"
        con.execute(f"copy (from {relation(con, model)}) to {duck.quoted(file)} (format parquet)")
        con.close()
        yield ModelRows(model, file)


def relation(con: "duckdb.DuckDBPyConnection", model: str) -> str:
    """The quoted name of a model's table in the attached copy; refuses where no such table model was built."""
    found = con.execute(
        'select format(\'published."{}"."{}"\', schema_name, table_name) from duckdb_tables() '
        "where database_name = 'published' and schema_name not in ('landing', 'contextful') and table_name = ?",
        [model],
    ).fetchone()
    if found is None:
        message = f"there is no table model {model}; name a model that dbt materializes as a table"
        raise ContextfulError("ArgumentMalformed", message)
    return found[0]
