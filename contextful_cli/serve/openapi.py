"""The OpenAPI document, version 3.0: the page at /docs shows no later one."""

from functools import cache
from importlib.metadata import version
from typing import Any

from contextful_cli.serve import claims, errors, recalling, tools

ANSWERS = {
    400: "The request, or the claim in it, is refused; nothing was stored.",
    401: "The token is missing, invalid, expired, revoked or for another audience.",
    403: "The credential, or what sent the request, does not allow it.",
    404: "There is nothing at this path.",
    405: "The route does not take this method.",
    408: "The body took too long.",
    413: "The body is too long.",
    503: "Try again after the seconds in Retry-After; nothing was stored.",
}
WRITE = """Stores one claim through the direct write, tier curated. Its scope is `console:<actor>:<session>`.

Checks, in this order: an Origin header (403 MemoryClaimBrowserRefused, before the credential is looked at); the
credential (401); whether the server was started with --writable (403 RequestRefused); the body (400
MemoryClaimMalformed); actor and session, which must be the token's on-behalf-of and task, the session without a colon
(403 MemoryClaimScopeRefused); a scope in the claim, or a blank dedup_key (400 MemoryClaimMalformed); the grant (403
GrantWriteNotCovered, for unknown tables alike); the claim itself (400 with its own identifier). Anything else: 503
MemoryClaimWriteRefused. A retry with the same dedup_key lands nothing."""


@cache
def document() -> dict[str, Any]:
    """The document as an object."""
    return {
        "openapi": "3.0.3",
        "info": {
            "title": "Contextful memory",
            "version": version("contextful"),
            "description": "Claims with evidence: write and recall them. MCP is at /mcp. Every error has one body.",
        },
        "paths": {
            "/memory/claims": {"post": _post("Write a claim", WRITE, _claim(), _landed(), (400, 401, 403))},
            "/memory/recall": {"post": _post("Recall claims", tools.RECALL, _recall(), _answer(), (400, 401, 403))},
            "/healthz": {"get": _get("Whether the lake can be read", "application/json", (503,))},
            "/metrics": {"get": _get("Counters in Prometheus' text format", "text/plain", ())},
        },
        "components": {
            "schemas": {"Error": _error()},
            "securitySchemes": {"token": {"type": "http", "scheme": "bearer"}},
        },
    }


def _post(title: str, text: str, body: dict, answer: dict, refusals: tuple[int, ...]) -> dict[str, Any]:
    statuses = (*refusals, 408, 413, 503)
    return {
        "tags": ["memory"],
        "summary": title,
        "description": text,
        "security": [{"token": []}],
        "requestBody": {"required": True, "content": {"application/json": {"schema": body}}},
        "responses": {"200": _content("Done.", answer)} | {str(status): _refusal(status) for status in statuses},
    }


def _get(title: str, media: str, refusals: tuple[int, ...]) -> dict[str, Any]:
    schema = {"type": "object" if media == "application/json" else "string"}
    done = {"description": "Done.", "content": {media: {"schema": schema}}}
    return {
        "tags": ["operations"],
        "summary": title,
        "responses": {"200": done} | {str(status): _refusal(status) for status in refusals},
    }


def _content(text: str, schema: dict[str, Any]) -> dict[str, Any]:
    return {"description": text, "content": {"application/json": {"schema": schema}}}


def _refusal(status: int) -> dict[str, Any]:
    named = ", ".join(errors.STATUSES.get(status, ()))
    answer = _content(
        f"{ANSWERS[status]}{f' One of {named}.' if named else ''}", {"$ref": "#/components/schemas/Error"}
    )
    if status == errors.UNAVAILABLE:
        answer["headers"] = {"Retry-After": {"schema": {"type": "integer"}, "description": "Seconds."}}
    return answer


def _error() -> dict[str, Any]:
    inner = {"type": "object", "properties": tools.ERROR, "required": list(tools.ERROR), "additionalProperties": False}
    return {"type": "object", "properties": {"error": inner}, "required": ["error"], "additionalProperties": False}


def _claim() -> dict[str, Any]:
    schema = _older(claims.ClaimRequest.model_json_schema())
    schema["properties"]["claim"] = {
        "type": "object",
        "description": "subject, predicate, object: texts; confidence: 0 to 1; evidence: cited rows. No scope.",
        "example": {
            "subject": "orion",
            "predicate": "lead",
            "object": "Mira",
            "confidence": 0.9,
            "evidence": [{"table": "notes", "run": "r-1", "seq": 0}],
        },
    }
    return schema


def _landed() -> dict[str, Any]:
    members = {"landed": {"type": "boolean"}, "scope": {"type": "string"}}
    members["claim_id"] = {"type": "string", "nullable": True, "description": "Null when nothing landed."}
    return {"type": "object", "properties": members, "required": list(members), "additionalProperties": False}


def _recall() -> dict[str, Any]:
    schema = _older(recalling.RecallArguments.model_json_schema())
    return schema | {"oneOf": [{"required": ["subject"]}, {"required": ["subjects"]}]}


def _answer() -> dict[str, Any]:
    required = ["columns", "rows", "truncated", "contextful.recall"]
    return {"type": "object", "properties": tools.RECALL_ANSWER, "required": required}


def _older(schema: Any) -> Any:
    """A JSON schema as OpenAPI 3.0 writes it: null is no type there, and a default of null says nothing."""
    if isinstance(schema, list):
        return [_older(one) for one in schema]
    if not isinstance(schema, dict):
        return schema
    kinds = [kind for kind in schema.get("anyOf", ()) if kind != {"type": "null"}]
    kept = {name: _older(value) for name, value in schema.items() if (name, value) != ("default", None)}
    if len(kinds) == 1:
        del kept["anyOf"]
        return kept | _older(kinds[0]) | {"nullable": True}
    return kept
