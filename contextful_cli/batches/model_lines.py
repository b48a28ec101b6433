"""The rows of a dbt model as lines of a batch, so that they pass the same checks as those of a file."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from contextful_cli import duck
from contextful_cli.errors import ContextfulError

if TYPE_CHECKING:
    from contextful_cli.batches.staging import Staging
    from contextful_cli.models import ModelRows


@dataclass(frozen=True, slots=True)
class Members:
    """A line's members, which are the model's columns of these names.

    noun: what a line holds, for messages. inside: a member, by whose name the required and optional ones are grouped.
    beside: optional ones that stand beside that group. told_at: the instant that gives rows their order. days: members
    for which a date is itself, and not its midnight.
    """

    noun: str
    required: tuple[str, ...]
    optional: tuple[str, ...]
    told_at: str
    beside: tuple[str, ...] = ()
    inside: str | None = None
    days: tuple[str, ...] = ()

    @property
    def all(self) -> tuple[str, ...]:
        return (*self.required, *self.optional, *self.beside)


def stage_model(staging: "Staging", exported: "ModelRows", members: Members) -> int:
    """Lay a model's rows as numbered lines in ``pending.model_lines``; gives their number.

    A model has no order of its own: rows go by `told_at`, the earliest first, as they would have been told.
    """
    model, source = exported.model, f"read_parquet({duck.quoted(exported.file)})"
    kinds = {name: kind for name, kind, *_ in staging.rows(f"describe from {source}")}
    _check_columns(model, kinds, members)
    first = [f'"{members.told_at}" asc nulls last'] if members.told_at in kinds else []
    order = ", ".join(first + [f'"{name}"' for name in sorted(kinds)])
    line = _line(model, kinds, members)
    staging.lay(
        "model_lines", f"select row_number() over (order by {order}) as line_number, {line} as line from {source}"
    )
    return staging.value("select count(*) from pending.model_lines")


def _line(model: str, kinds: dict[str, str], members: Members) -> str:
    """SQL of a row's line."""

    def given(names: tuple[str, ...]) -> str:
        return ", ".join(f"'{name}', {_value(model, name, kinds[name], members)}" for name in names if name in kinds)

    own, beside = given((*members.required, *members.optional)), given(members.beside)
    if members.inside is None:
        return f"json_object({own})::varchar"
    return f"json_object('{members.inside}', json_object({own}){beside and ', ' + beside})::varchar"


def _check_columns(model: str, kinds: dict[str, str], members: Members) -> None:
    missing = [name for name in members.required if name not in kinds]
    unknown = [name for name in kinds if name not in members.all]
    if missing or unknown:
        told = [f"lacks {', '.join(missing)}"] * bool(missing) + [f"has {', '.join(unknown)} besides"] * bool(unknown)
        known = f"{', '.join(members.required)} and, where wanted, {', '.join(members.all[len(members.required) :])}"
        message = f"the model {model} {' and '.join(told)}; {members.noun} have {known}"
        raise ContextfulError("ArgumentMalformed", message)


def _value(model: str, name: str, kind: str, members: Members) -> str:
    """SQL of a column's value in JSON: instants as RFC 3339, a date as its midnight UTC."""
    if kind == "TIMESTAMP WITH TIME ZONE":
        return f"strftime(\"{name}\", '%Y-%m-%dT%H:%M:%S.%fZ')"
    if kind == "DATE":
        return f"strftime(\"{name}\", '%Y-%m-%d{'' if name in members.days else 'T00:00:00Z'}')"
    if kind.startswith("TIMESTAMP"):
        message = f"{name} of the model {model} is a {kind}, which has no offset; cast it to timestamptz or date"
        raise ContextfulError("ArgumentMalformed", message)
    return f'"{name}"'
