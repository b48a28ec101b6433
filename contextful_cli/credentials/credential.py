"""An accepted credential: who asks, and with which rights."""

from dataclasses import dataclass

from contextful_cli.credentials.rights import Rights


@dataclass(frozen=True, slots=True)
class Credential:
    """chain: the revocation ids of its blocks, the authority's first. The members name the subject, None where the
    token names none. expires_at: RFC 3339 in UTC, None for never."""

    rights: Rights
    chain: tuple[str, ...]
    on_behalf_of: str | None = None
    agent: str | None = None
    task: str | None = None
    host: str | None = None
    expires_at: str | None = None
    audience: str | None = None

    @property
    def grant_id(self) -> str:
        """What rows record of it: the last revocation id of the chain."""
        # rule: synthesize.attribution
        return self.chain[-1]
