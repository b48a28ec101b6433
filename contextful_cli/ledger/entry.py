"""What is recorded of one read call. Never a subject, predicate, object, scope, query text or token."""

import json
from dataclasses import asdict, dataclass

CLAIMS = "contextful.memory.claims"


@dataclass(frozen=True, slots=True)
class Entry:
    """The facts of one read call.

    face: cli, http or mcp. tool: such as memory.recall. table: None when it is no declared table, or none was named.
    outcome: "answered", or the refusal's identifier. grant_id, chain: revocation ids of the credential, the last and
    all. observed_at, as_of_ingest, available_as_of: the read's instants as RFC 3339, None where not given.
    rows: how many left. claims: ids of the returned claims; None for a read that returns none by its nature.
    """

    face: str
    tool: str
    table: str | None
    outcome: str
    grant_id: str | None
    chain: tuple[str, ...]
    on_behalf_of: str | None
    agent: str | None
    task: str | None
    host: str | None
    observed_at: str | None = None
    as_of_ingest: str | None = None
    available_as_of: str | None = None
    rows: int = 0
    claims: tuple[str, ...] | None = None

    def facts(self) -> bytes:
        """Compact JSON members without the braces, as UTF-8; UnicodeEncodeError where a text is none."""
        told = asdict(self)
        claims = told.pop("claims")
        return members(told if claims is None else told | {CLAIMS: claims})


def members(facts: dict[str, object]) -> bytes:
    """The members of a JSON object without its braces, compact, as UTF-8."""
    return json.dumps(facts, ensure_ascii=False, separators=(",", ":"), allow_nan=False)[1:-1].encode()
