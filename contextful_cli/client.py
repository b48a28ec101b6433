"""A client of `contextful serve`, for programs in Python.

from contextful_cli.client import Client

with Client("http://127.0.0.1:8765", token) as memory:
    memory.write(
        "facts",
        {"subject": "orion", "predicate": "lead", "object": "Mira", "confidence": 0.9, "evidence": []},
        actor="ann", session="t-1", dedup_key="evt-1",
    )
    for claim in memory.recall("facts", "orion").claims:
        print(claim["predicate"], claim["object"], claim["valid_from"])
"""

import time
from collections.abc import Sequence
from dataclasses import dataclass
from types import TracebackType
from typing import Any, TypedDict

import httpx

from contextful_cli.errors import ContextfulError

MOST_WAIT_SECONDS = 10.0


class Citation(TypedDict):
    """A cited source row. key_digest is there for rows of keyed tables only."""

    table: str
    run: str
    seq: int


class Claim(TypedDict):
    """A recalled claim; instants are RFC 3339 in UTC."""

    claim_id: str
    subject: str
    predicate: str
    object: str
    scope: str | None
    tier: str
    confidence: float
    valid_from: str
    valid_to: str | None
    evidence: list[Citation]
    superseded_by: str | None
    grant_id: str | None
    agent: str | None
    confidence_label: str
    evidence_omitted: int


@dataclass(frozen=True, slots=True)
class Recalled:
    """claims: in the order of the answer. suppressed: how many were withheld, by identifier. stale: how many served
    claims cite a row that has changed since. response: the answer whole, with its other blocks."""

    claims: list[Claim]
    truncated: bool
    suppressed: dict[str, int]
    stale: int
    response: dict[str, Any]


@dataclass(frozen=True, slots=True)
class Written:
    """scope: the one the claim was given. claim_id: None where nothing landed, since the key was held already."""

    landed: bool
    scope: str
    claim_id: str | None


class Client:
    """One server, under one token. May be used from several threads.

    Every refusal is a ContextfulError with the server's identifier and message; EndpointUnavailable without an answer.
    A 503, and a connection that fails, is tried again `retries` times: a write's dedup_key makes that safe.
    """

    def __init__(self, url: str, token: str, *, timeout: float = 90.0, retries: int = 3) -> None:
        """timeout: seconds; a write may wait a minute for the lake."""
        self._retries = retries
        self._http = httpx.Client(base_url=url, headers={"authorization": f"Bearer {token}"}, timeout=timeout)

    def __enter__(self) -> "Client":
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()

    def close(self) -> None:
        """Close its connections."""
        self._http.close()

    def recall(self, table: str, subject: str | Sequence[str], **arguments: str | int | bool | None) -> Recalled:
        """What held of a subject, or of several.

        arguments: observed_at, as_of_ingest, available_as_of, scope, predicate, limit, internals, as the command's.
        """
        asked = {"subject": subject} if isinstance(subject, str) else {"subjects": list(subject)}
        answer = self._post("/memory/recall", {"table": table, **asked, **arguments})
        claims: list[Any] = [dict(zip(answer["columns"], row, strict=True)) for row in answer["rows"]]
        block = answer["contextful.recall"]
        return Recalled(claims, answer["truncated"], block["suppressed"], block["stale"], answer)

    def write(self, into: str, claim: dict[str, Any], *, actor: str, session: str, dedup_key: str) -> Written:
        """Store a claim. actor and session: the token's on-behalf-of and task; its scope is made of them."""
        body = {"into": into, "actor": actor, "session": session, "dedup_key": dedup_key, "claim": claim}
        return Written(**self._post("/memory/claims", body))

    def health(self) -> bool:
        """Whether the server can read its lake."""
        try:
            return self._http.get("/healthz").status_code == httpx.codes.OK
        except httpx.TransportError:
            return False

    def _post(self, path: str, body: dict[str, Any]) -> dict[str, Any]:
        for _ in range(self._retries):
            try:
                return self._once(path, body)
            except _Again as again:
                time.sleep(again.seconds)
        return self._once(path, body)

    def _once(self, path: str, body: dict[str, Any]) -> dict[str, Any]:
        try:
            answer = self._http.post(path, json=body)
            found = answer.json()
        except (httpx.TransportError, ValueError) as error:
            raise _Again("EndpointUnavailable", f"no answer of {path}: {type(error).__name__}", 1.0) from None
        if answer.status_code == httpx.codes.OK:
            return found
        told = found["error"]
        if answer.status_code == httpx.codes.SERVICE_UNAVAILABLE:
            raise _Again(told["identifier"], told["message"], _seconds(answer.headers.get("retry-after", "")))
        raise ContextfulError(told["identifier"], told["message"])


class _Again(ContextfulError):
    """A refusal that another try may not meet."""

    def __init__(self, identifier: str, message: str, seconds: float) -> None:
        super().__init__(identifier, message)
        self.seconds = seconds


def _seconds(header: str) -> float:
    return min(float(header), MOST_WAIT_SECONDS) if header.isdecimal() else 1.0
