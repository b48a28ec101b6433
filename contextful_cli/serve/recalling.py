"""memory.recall as the faces of a server offer it: its arguments, checked by one model, and its answer."""

from functools import partial
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field

from contextful_cli import recall
from contextful_cli.credentials.credential import Credential
from contextful_cli.errors import ContextfulError
from contextful_cli.serve import bodies
from contextful_cli.serve.service import Service

TOOL = "memory.recall"
INSTANT = "RFC 3339 with an offset (inclusive), or YYYY-MM-DD, which means before the next midnight UTC."


class RecallArguments(BaseModel):
    """Give either subject or subjects."""

    model_config = ConfigDict(extra="forbid", strict=True)

    table: Annotated[str, Field(description="The claims table.")]
    subject: Annotated[
        str | None, Field(description="Whom or what the claims are about; matched exactly, case included.")
    ] = None
    subjects: Annotated[
        list[str] | None,
        Field(
            min_length=1,
            max_length=recall.MOST_SUBJECTS,
            description="Several subjects in one call, in place of subject; answered in turn under one limit.",
        ),
    ] = None
    observed_at: Annotated[str | None, Field(description=f"What held at this instant; default now. {INSTANT}")] = None
    as_of_ingest: Annotated[
        str | None, Field(description=f"From what had been stored by then; default everything. {INSTANT}")
    ] = None
    available_as_of: Annotated[
        str | None, Field(description=f"From what its sources had made available by then. {INSTANT}")
    ] = None
    scope: Annotated[str | None, Field(description="Only claims of exactly this scope.")] = None
    predicate: Annotated[str | None, Field(description="Only claims of exactly this predicate.")] = None
    limit: Annotated[int | None, Field(ge=1, description="At most so many claims.")] = None
    internals: Annotated[bool, Field(description="Also the SQL that was run, its time and its rows.")] = False

    def request(self) -> recall.Request:
        """The recall that is asked for."""
        if (self.subject is None) == (self.subjects is None):
            raise ContextfulError("ArgumentMalformed", "give either subject or subjects")
        given = self.model_dump(exclude={"subject", "subjects", "internals"})
        return recall.Request(subject=tuple(self.subjects) if self.subjects else self.subject, **given)


def answer(service: Service, face: str, credential: Credential, given: Any) -> dict[str, Any]:
    """The response object of a recall; recorded in the ledger, refusals included. given: arguments, or their JSON."""
    caller, now = service.caller(credential)
    desk = service.desks[face]
    try:
        asked, request = _asked(given)
    except ContextfulError:
        return desk.answered(caller, TOOL, None, partial(_asked, given))  # refused once more, for the ledger
    with service.readers.of(caller, request.table, now.state) as reader:
        return desk.recall(reader, request, internals=asked.internals)


def _asked(given: Any) -> tuple[RecallArguments, recall.Request]:
    found = bodies.parsed(given, "ArgumentMalformed") if isinstance(given, bytes) else given
    asked = bodies.fitted(RecallArguments, found, "ArgumentMalformed")
    return asked, asked.request()
