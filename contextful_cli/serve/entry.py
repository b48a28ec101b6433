"""Who sends a request: the bearer token of its header."""

from functools import partial

from starlette.requests import Request

from contextful_cli.credentials.credential import Credential
from contextful_cli.serve.limits import Gate
from contextful_cli.serve.service import Service


async def credential_of(request: Request, service: Service, gate: Gate) -> Credential:
    """The credential of a request, or the refusal that says why there is none."""
    return await gate.check(partial(service.admit, _token(request)))


def _token(request: Request) -> str | None:
    scheme, _, token = request.headers.get("authorization", "").partition(" ")
    return token.strip() if scheme.lower() == "bearer" else None
