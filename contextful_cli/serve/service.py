"""What every face of a server shares: the project, the ledger, the kept sessions, and who is let in."""

import time
from contextlib import suppress
from threading import Lock

from contextful_cli import clock as clocks
from contextful_cli import lake
from contextful_cli.caller import Caller
from contextful_cli.credentials import authenticate
from contextful_cli.credentials.credential import Credential
from contextful_cli.errors import ContextfulError
from contextful_cli.ledger import Ledger
from contextful_cli.reads import Desk
from contextful_cli.serve.limits import Limits
from contextful_cli.serve.pools import Readers, Writers
from contextful_cli.serve.project import Now, Project
from contextful_cli.settings import Home

CHECK_SECONDS = 5.0


class Service:
    """One home, served. Everything in it may be called from any thread."""

    def __init__(self, home: Home, audience: str, limits: Limits) -> None:
        clocks.read(home)  # a server without a lake does not start
        self.home, self.audience, self.limits = home, audience, limits
        self.project = Project(home)
        self.readers, self.writers = Readers(limits.sessions), Writers()
        ledger = Ledger(home)
        self.desks = {face: Desk(face, ledger) for face in ("http", "mcp")}
        self._checked = (0.0, None)
        self._checking = Lock()

    def admit(self, token: str | None) -> Credential:
        """The credential of a request, which is looked at anew each time: a revoked one is out at once."""
        if not token:
            raise ContextfulError("CredentialMissing", "send the token in the header `Authorization: Bearer …`")
        try:
            return authenticate.authenticate(self.home, token, self.audience)
        except ContextfulError as error:
            if error.identifier == "CredentialMissing":  # the server's own keys, not the request's token
                raise ContextfulError("StorageFailed", error.message) from None
            raise

    def caller(self, credential: Credential) -> tuple[Caller, Now]:
        """Who asks, of the project as it is now."""
        now = self.project.now()
        return Caller(self.home, now.tables, credential), now

    def check(self) -> None:
        """Refuses where the lake cannot be read. The catalog itself is opened now and then only."""
        clocks.read(self.home)
        with self._checking:
            at, fault = self._checked
            if time.monotonic() - at >= CHECK_SECONDS or not at:
                fault = self._fault()
                self._checked = time.monotonic(), fault
        if fault is not None:
            raise ContextfulError(fault.identifier, fault.message)

    def _fault(self) -> ContextfulError | None:
        try:
            lake.open_lake(self.home).close()
        except ContextfulError as error:
            return error
        except Exception as error:  # whatever DuckDB says of a damaged catalog
            return ContextfulError("StorageFailed", f"the lake cannot be opened: {type(error).__name__}")
        return None

    def sweep(self) -> None:
        """Close sessions that nobody will use again; they keep replaced copies on the disk."""
        with suppress(OSError):
            state = self.project.now().state
            self.readers.idle.sweep(state)
            self.writers.idle.sweep(state)

    def close(self) -> None:
        """Close every kept session."""
        self.readers.idle.sweep(None)
        self.writers.idle.sweep(None)
