"""The rows of a dbt model as lines of a batch, so that they pass the same checks as those of a file."""

from typing import TYPE_CHECKING

from contextful_cli import duck
from contextful_cli.errors import ContextfulError
from contextful_cli.revision.writer import Writer

if TYPE_CHECKING:
    from pathlib import Path

CLAIM = ("subject", "predicate", "object", "confidence", "evidence")
OPTIONAL = ("scope",)
BESIDE = ("observed_at", "valid_until", "dedup_key")


def stage_model(writer: Writer, file: "Path", model: str) -> int:
    """Lay a model's rows, exported to Parquet, as numbered lines in ``pending.model_lines``; gives their number.

    A model has no order of its own: rows go by observed_at, the earliest first, as they would have been told.
    """
    source = f"read_parquet({duck.quoted(file)})"
    kinds = {name: kind for name, kind, *_ in writer.staging.rows(f"describe from {source}")}
    in_claim = [*CLAIM, *OPTIONAL, *writer.available_columns()]
    _check_columns(model, kinds, in_claim)
    claim = ", ".join(f"'{name}', {_value(model, name, kinds[name])}" for name in in_claim if name in kinds)
    beside = "".join(f", '{name}', {_value(model, name, kinds[name])}" for name in BESIDE if name in kinds)
    first = ["observed_at asc nulls last"] if "observed_at" in kinds else []
    order = ", ".join(first + [f'"{name}"' for name in sorted(kinds)])
    line = f"json_object('claim', json_object({claim}){beside})::varchar"
    numbered = f"select row_number() over (order by {order}) as line_number, {line} as line from {source}"
    writer.staging.lay("model_lines", numbered)
    return writer.staging.value("select count(*) from pending.model_lines")


def _check_columns(model: str, kinds: dict[str, str], in_claim: list[str]) -> None:
    missing = [name for name in CLAIM if name not in kinds]
    unknown = [name for name in kinds if name not in (*in_claim, *BESIDE)]
    if missing or unknown:
        told = [f"lacks {', '.join(missing)}"] * bool(missing) + [f"has {', '.join(unknown)} besides"] * bool(unknown)
        known = f"{', '.join(CLAIM)} and, where wanted, {', '.join((*in_claim[len(CLAIM) :], *BESIDE))}"
        raise ContextfulError("ArgumentMalformed", f"the model {model} {' and '.join(told)}; claims have {known}")


def _value(model: str, name: str, kind: str) -> str:
    """SQL of a column's value in JSON: instants as RFC 3339, a date as its midnight UTC."""
    if kind == "TIMESTAMP WITH TIME ZONE":
        return f"strftime(\"{name}\", '%Y-%m-%dT%H:%M:%S.%fZ')"
    if kind == "DATE":
        return f"strftime(\"{name}\", '%Y-%m-%dT00:00:00Z')"
    if kind.startswith("TIMESTAMP"):
        message = f"{name} of the model {model} is a {kind}, which has no offset; cast it to timestamptz or date"
        raise ContextfulError("ArgumentMalformed", message)
    return f'"{name}"'
