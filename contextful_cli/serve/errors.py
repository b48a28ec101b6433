"""A refusal as its caller sees it: the status, and the error object of at most 512 bytes."""

import json
import logging
import re
import traceback

from starlette.responses import Response

from contextful_cli.errors import ContextfulError

LOG = logging.getLogger("contextful")
MOST_BYTES = 512
RETRY_AFTER = "1"
# Whatever is not listed is a fault of the server's side: 503, without its details.
STATUSES = {
    400: (
        "ArgumentMalformed",
        "InstantMalformed",
        "MemoryClaimMalformed",
        "MemoryDirectWriteShapeRefused",
        "MemoryCitationNotLive",
        "MemoryObservationOutOfOrder",
        "MemoryRecallNotClaims",
    ),
    401: ("CredentialMissing", "CredentialInvalid", "CredentialExpired", "CredentialRevoked", "CredentialAudience"),
    403: (
        "EnforceUnknownRelation",
        "GrantWriteNotCovered",
        "MemoryClaimBrowserRefused",
        "MemoryClaimScopeRefused",
        "RequestRefused",
    ),
}
_STATUS_OF = {identifier: status for status, identifiers in STATUSES.items() for identifier in identifiers}
UNAVAILABLE = 503
# Faults that a caller may be told of in their own words; those of the others name files and processes of the server.
_SPOKEN = {"ServerOverloaded", "MemoryClaimWriteRefused", "AuditEntryUnpersisted"}
_GENERAL = "the store cannot answer now; try again, and if that does not help, the server's log says why"


class HttpRefusal(ContextfulError):
    """A refusal whose status HTTP gives, not its identifier. is_cut: the request was not read to its end."""

    def __init__(self, status: int, message: str, *, is_cut: bool = False) -> None:
        super().__init__("RequestRefused", message)
        self.status, self.is_cut = status, is_cut


def status_of(error: ContextfulError) -> int:
    """The HTTP status of a refusal."""
    return getattr(error, "status", None) or _STATUS_OF.get(error.identifier, UNAVAILABLE)


def as_refusal(error: Exception) -> ContextfulError:
    """Any exception as one that a caller may see; what is behind a fault of the server goes to its log."""
    if isinstance(error, ContextfulError):
        if status_of(error) != UNAVAILABLE or error.identifier in _SPOKEN:
            return error
        LOG.error("%s: %s", error.identifier, error.message)
        return ContextfulError(error.identifier, _GENERAL)
    # Where it happened, and not what it says: messages of the storage quote values.
    places = "".join(traceback.format_tb(error.__traceback__)[-3:])
    LOG.error("StorageFailed: %s\n%s", type(error).__name__, places)
    return ContextfulError("StorageFailed", _GENERAL)


def told(error: ContextfulError) -> dict[str, str | int]:
    """The inner error object, cut so that the whole body stays within its bytes."""
    code = re.sub(r"(?<!^)(?=[A-Z])", "_", error.identifier).lower()
    given = error.message.encode("utf-8", "replace").decode()
    inner = {"code": code, "http": status_of(error), "identifier": error.identifier, "message": given}
    while (over := len(body(inner)) - MOST_BYTES) > 0:
        given = given[: -max(over // 6, 1)]  # no character takes more than six bytes in JSON
        inner["message"] = f"{given}…"
    return inner


def body(inner: dict[str, str | int]) -> bytes:
    """The body of an error."""
    return json.dumps({"error": inner}, ensure_ascii=False).encode()


def response(error: Exception) -> Response:
    """The HTTP answer to a request that raised this."""
    refusal = as_refusal(error)
    inner = told(refusal)
    headers = {"cache-control": "no-store"}
    if inner["http"] == 401:
        invalid = "" if refusal.identifier == "CredentialMissing" else ', error="invalid_token"'
        headers["www-authenticate"] = f'Bearer realm="contextful"{invalid}'
    if inner["http"] == UNAVAILABLE:
        headers["retry-after"] = RETRY_AFTER
    if getattr(refusal, "is_cut", False):
        headers["connection"] = "close"
    return Response(body(inner), inner["http"], headers, "application/json")
