"""The tools that agents are offered. One entry each; writing is none of them."""

import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from mcp_types import CallToolResult, TextContent, Tool, ToolAnnotations
from pydantic import BaseModel

from contextful_cli import recall
from contextful_cli.credentials.credential import Credential
from contextful_cli.errors import ContextfulError
from contextful_cli.serve import errors, recalling
from contextful_cli.serve.service import Service

FACE = "mcp"
Answer = Callable[[Service, str, Credential, Any], dict[str, Any]]
INSTRUCTIONS = """Governed memory: claims with evidence, each with the time in which it held.
Nothing is overwritten: a claim that was replaced still answers for the time in which it held.
You see only what your credential covers; a table that you may not read looks like one that does not exist."""
RECALL = f"""What held of a subject at an instant: its claims, each with its evidence, as rows.

A claim says that `subject` has, for `predicate`, the value `object` (for example orion / lead / Mira), from valid_from
until valid_to (null: still). `scope` keeps claims of one group or session apart; null is for everyone. `tier` is how it
was written: curated (by a person or a trusted program) before derived (by a model, from sources) before researched
(from fetched results); where tiers disagree, both answer, the higher first. `confidence` is a probability;
`confidence_label` tells whether it was checked against outcomes (calibrated) or is the writer's own (uncalibrated).
`evidence` cites source rows as table, run and seq. `superseded_by` names the claim that replaced it later.

Row order: tier, then newest valid_from. Columns: {", ".join(recall.COLUMNS)}.
`contextful.recall.suppressed` counts claims that exist but are withheld, since evidence of theirs cannot be read with
this credential: treat the answer as incomplete then. `stale` counts served claims one of whose cited rows has changed
since. `truncated` means that there was more than the limit; ask again with a larger limit, or with a predicate.

No rows means that nothing is known, not that it is false. Subjects match exactly: try the exact spelling that other
claims use. Ask for several subjects at once with `subjects`. To see the past, set observed_at; to see what was known
in the past, as_of_ingest."""


@dataclass(frozen=True, slots=True)
class Offered:
    """A tool: its dotted name, what agents are told, its argument model, and what answers it."""

    name: str
    title: str
    description: str
    arguments: type[BaseModel]
    output: dict[str, Any]
    answer: Answer

    def spelled(self, underscores: bool) -> str:
        """Its name; with underscores for hosts that refuse dots."""
        return self.name.replace(".", "_") if underscores else self.name

    def shown(self, underscores: bool) -> Tool:
        """The tool as it is listed."""
        # To ask again changes nothing and reaches nothing but the project's own store.
        hints = {"read_only_hint": True, "destructive_hint": False, "idempotent_hint": True, "open_world_hint": False}
        return Tool(
            name=self.spelled(underscores),
            title=self.title,
            description=self.description,
            input_schema=self.arguments.model_json_schema(),
            output_schema=_answer_or_error(self.output),
            annotations=ToolAnnotations(title=self.title, **hints),
        )


_COUNT = {"type": "integer", "minimum": 0}
ERROR = {
    "code": {"type": "string"},
    "http": {"type": "integer"},
    "identifier": {"type": "string"},
    "message": {"type": "string"},
}
RECALL_ANSWER: dict[str, Any] = {
    "columns": {"type": "array", "items": {"type": "string"}},
    "rows": {"type": "array", "items": {"type": "array", "items": {}}, "description": "Values in column order."},
    "truncated": {"type": "boolean"},
    "contextful.recall": {
        "type": "object",
        "properties": {
            "suppressed": {"type": "object", "additionalProperties": _COUNT},
            "stale": _COUNT,
        },
        "required": ["suppressed", "stale"],
    },
    "contextful.bounds": {"type": "object", "description": "The bounds that were given, and whether inclusive."},
    "contextful.truncation": {"type": "object"},
    "contextful.internals": {"type": "object"},
}


def _answer_or_error(answer: dict[str, Any]) -> dict[str, Any]:
    """Some hosts check what a refusal holds against the schema, too."""
    required = [name for name in answer if name in ("columns", "rows", "truncated", "contextful.recall")]
    alternatives = [{"required": required}, {"required": list(ERROR)}]
    return {"type": "object", "properties": answer | ERROR, "anyOf": alternatives}


OFFERED = (
    Offered(
        "memory.recall",
        "Recall what held of a subject",
        RECALL,
        recalling.RecallArguments,
        RECALL_ANSWER,
        recalling.answer,
    ),
)


def find(name: str, underscores: bool) -> Offered:
    """The tool of that name, as it is spelled here."""
    for one in OFFERED:
        if one.spelled(underscores) == name:
            return one
    raise ContextfulError("ArgumentMalformed", "there is no tool of that name; tools/list shows them")


def call(service: Service, tool: Offered, credential: Credential, arguments: dict[str, Any] | None) -> CallToolResult:
    """The result of a call: the same object as structured content and as JSON text."""
    found = tool.answer(service, FACE, credential, arguments or {})
    return _result(found, is_error=False)


def refused(error: Exception) -> CallToolResult:
    """The result of a call that was refused, or failed."""
    return _result(errors.told(errors.as_refusal(error)), is_error=True)


def _result(content: dict[str, Any], *, is_error: bool) -> CallToolResult:
    text = json.dumps(content, ensure_ascii=False, allow_nan=False)
    return CallToolResult(content=[TextContent(text=text)], structured_content=content, is_error=is_error)
