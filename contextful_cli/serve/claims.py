"""The write route's own rules; what it stores goes through the same direct write as the command's."""

import json
from typing import Any

from pydantic import BaseModel, ConfigDict

from contextful_cli import revise
from contextful_cli.credentials.credential import Credential
from contextful_cli.errors import ContextfulError
from contextful_cli.revision.writer import Outcome, Provenance
from contextful_cli.serve import bodies
from contextful_cli.serve.errors import UNAVAILABLE, as_refusal, status_of
from contextful_cli.serve.service import Service

MALFORMED = "MemoryClaimMalformed"


class ClaimRequest(BaseModel):
    """The body of POST /memory/claims; all five members are required."""

    model_config = ConfigDict(extra="forbid", strict=True)

    into: str
    actor: str
    session: str
    dedup_key: str
    claim: dict[str, Any]


def write(service: Service, credential: Credential, body: bytes) -> dict[str, Any]:
    """Store one claim; returns {landed, scope, claim_id}. Each refusal is that of the first check it fails."""
    # rule: revise.malformed-request
    asked = bodies.fitted(ClaimRequest, bodies.parsed(body, MALFORMED), MALFORMED)
    scope = bound_scope(credential, asked.actor, asked.session)
    claim = revise.Claim(_claim(asked, scope), dedup_key=asked.dedup_key)
    outcome = _stored(service, credential, asked.into, claim)
    # rule: revise.served-dedup
    return {"landed": outcome.landed, "scope": scope, "claim_id": outcome.claim_id if outcome.landed else None}


def bound_scope(credential: Credential, actor: str, session: str) -> str:
    """The scope that a claim written under this credential gets. A member that the token lacks matches nothing."""
    # rule: revise.served-scope
    if credential.on_behalf_of != actor or credential.task != session or ":" in session:
        message = "actor and session must be the token's on-behalf-of and task, and the session without a colon"
        raise ContextfulError("MemoryClaimScopeRefused", message)
    return f"console:{actor}:{session}"


def _claim(asked: ClaimRequest, scope: str) -> str:
    # rule: revise.malformed-request
    if "scope" in asked.claim:
        raise ContextfulError(MALFORMED, "leave scope out of the claim: it comes from the credential")
    if not asked.dedup_key.strip():
        raise ContextfulError(MALFORMED, "dedup_key is blank; it names this write, so that a retry lands nothing")
    return json.dumps(asked.claim | {"scope": scope}, allow_nan=False)


def _stored(service: Service, credential: Credential, into: str, claim: revise.Claim) -> Outcome:
    # rule: revise.served-write
    caller, now = service.caller(credential)
    table = revise.claims_table(caller, into)
    with service.writers.of(caller, table, now.state) as writer:
        return revise.write_with(writer, claim, Provenance.of(credential, revise.tier_of(None)))


def fault(error: Exception) -> ContextfulError:
    """What the route answers to an exception: a refusal as it is; anything else means that nothing was stored."""
    refusal = as_refusal(error)
    if status_of(refusal) != UNAVAILABLE or refusal.identifier == "ServerOverloaded":
        return refusal
    # rule: revise.served-fault
    return ContextfulError("MemoryClaimWriteRefused", f"nothing landed ({refusal.identifier}); try again")
