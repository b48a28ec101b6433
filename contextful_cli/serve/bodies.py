"""Request bodies: JSON read strictly, and models whose faults are ours."""

import json
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError

from contextful_cli.errors import ContextfulError

Model = TypeVar("Model", bound=BaseModel)


def parsed(body: bytes, identifier: str) -> Any:
    """The JSON of a body. Bad JSON, doubled keys and numbers that are none refuse under the identifier."""
    try:
        return json.loads(body.decode(), object_pairs_hook=_single, parse_constant=_no_number, parse_float=_number)
    except _Fault as fault:
        raise ContextfulError(identifier, str(fault)) from None
    except (ValueError, RecursionError):
        raise ContextfulError(identifier, "the body is not JSON in UTF-8") from None


class _Fault(Exception):
    """What is wrong with a body that is JSON otherwise."""


def _single(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        raise _Fault("a key stands twice in one object")
    return found


def _no_number(text: str) -> float:
    raise _Fault(f"{text} is no JSON number")


def _number(text: str) -> float:
    value = float(text)
    if value in (float("inf"), float("-inf")):
        raise _Fault("a number is too large")
    return value


def fitted(model: type[Model], given: Any, identifier: str) -> Model:
    """The model of what was given; a fault names the member, and never repeats the value."""
    try:
        return model.model_validate(given)
    except ValidationError as error:
        first = error.errors(include_input=False, include_url=False, include_context=False)[0]
        place = ".".join(str(part) for part in first["loc"]) or "the request"
        raise ContextfulError(identifier, f"{place}: {first['msg']}") from None
