"""`contextful token`: make credentials, narrow them, look into them, revoke them, rotate the keys behind them."""

import os
import sys
from pathlib import Path
from typing import Annotated, Any

import typer

Read = Annotated[list[str] | None, typer.Option("--read", help="A table it may read; may be repeated.", metavar="T")]
Write = Annotated[
    list[str] | None,
    typer.Option("--write", help="A table it may write; memory verbs need --read of it too.", metavar="T"),
]
Erase = Annotated[list[str] | None, typer.Option("--erase", help="A table it may erase from.", metavar="T")]
Mask = Annotated[list[str] | None, typer.Option("--mask", help="A column that reads as null.", metavar="T.C")]
Filter = Annotated[
    list[str] | None,
    typer.Option("--filter", help="Only rows with this value; repeated: any of the values.", metavar="T.C=V"),
]
ExpiresAt = Annotated[str | None, typer.Option(help="Until when it counts.", metavar="I")]
Audience = Annotated[
    str | None, typer.Option(help="Where it counts: `local`, or what a server was started with.", metavar="A")
]
Task = Annotated[str | None, typer.Option(help="The task or session it is for.")]
Host = Annotated[str | None, typer.Option(help="The host it is used from.")]
Out = Annotated[Path | None, typer.Option(help="Write the token to this file, mode 0600, and do not print it.")]
TokenFile = Annotated[
    str | None, typer.Option(help="A file with the token, - for stdin; default: $CONTEXTFUL_TOKEN.", metavar="FILE")
]
AsJson = Annotated[bool, typer.Option("--json", help="Print one JSON line.")]


def mint_verb(
    on_behalf_of: Annotated[str, typer.Option(help="For whom it acts; rows written with it say so.")],
    read: Read = None,
    write: Write = None,
    erase: Erase = None,
    mask: Mask = None,
    row_filter: Filter = None,
    agent: Annotated[str | None, typer.Option(help="The agent that acts.")] = None,
    task: Task = None,
    host: Host = None,
    expires_at: ExpiresAt = None,
    expires_in: Annotated[str | None, typer.Option(help="How long it counts; default 30d.", metavar="SPAN")] = None,
    audience: Audience = None,
    out: Out = None,
    as_json: AsJson = False,
) -> None:
    """Make a token with just these rights; operator only.

    Example: contextful token mint --on-behalf-of ann --agent planner --task t-1 --read facts --write facts
    --expires-in 8h --out ann.token
    """
    from contextful_cli import declaration
    from contextful_cli.credentials import authenticate, tokens, wishes

    home = authenticate.operator_home("token mint")
    span = expires_in if expires_in or expires_at else "30d"
    members = {"on_behalf_of": on_behalf_of, "agent": agent, "task": task, "host": host}
    wish = wishes.Wish(
        *_lists(read, write, erase, mask, row_filter),
        **members,
        expires_at=expires_at,
        expires_in=span,
        audience=audience,
    )
    block = wishes.block(wish)
    wishes.refuse_undeclared(block, declaration.load(home.project))
    _give(tokens.mint(home, block), out, as_json=as_json)


def attenuate_verb(
    token_file: TokenFile = None,
    read: Read = None,
    write: Write = None,
    erase: Erase = None,
    mask: Mask = None,
    row_filter: Filter = None,
    agent: Annotated[str | None, typer.Option(help="The agent that goes on with it.")] = None,
    agent_key: Annotated[Path | None, typer.Option(help="That agent's private key, which signs the block.")] = None,
    task: Task = None,
    host: Host = None,
    expires_at: ExpiresAt = None,
    expires_in: Annotated[str | None, typer.Option(help="How long it counts from now.", metavar="SPAN")] = None,
    audience: Audience = None,
    out: Out = None,
    as_json: AsJson = False,
) -> None:
    """Narrow a token before handing it on. Works offline, anywhere; it can never give more than it had.

    Naming rights leaves just those of them that the token already has; naming none leaves all.

    Example: contextful token attenuate --read facts --filter facts.scope=team-a --expires-in 15m --out narrow.token
    """
    from contextful_cli.credentials import tokens, wishes
    from contextful_cli.errors import ContextfulError

    if (agent is None) != (agent_key is None):
        raise ContextfulError(
            "ArgumentMalformed", "--agent and --agent-key go together: an unsigned name counts for nothing"
        )
    wish = wishes.Wish(
        *_lists(read, write, erase, mask, row_filter),
        agent=agent,
        task=task,
        host=host,
        expires_at=expires_at,
        expires_in=expires_in,
        audience=audience,
    )
    key = tokens.agent_key(agent_key) if agent_key is not None else None
    token, block = _token(token_file), wishes.block(wish)
    wishes.refuse_ungranted(block, tokens.said_by(token).rights)
    _give(tokens.attenuate(token, block, key), out, as_json=as_json)


def inspect_verb(token_file: TokenFile = None, as_json: AsJson = False) -> None:
    """Show what a token says, and whether it counts here. The token itself is not shown.

    Example: contextful token inspect --token-file ann.token
    """
    from contextful_cli import output
    from contextful_cli.credentials import tokens

    token = _token(token_file)
    shown = tokens.inspect(token)
    output.emit({"status": _status(token), **shown}, as_json=as_json, table=_inspected)


def revoke_verb(
    revocation_id: Annotated[
        str | None, typer.Option("--id", help="A revocation id; every token whose chain holds it is revoked.")
    ] = None,
    token_file: TokenFile = None,
    as_json: AsJson = False,
) -> None:
    """Revoke a token and all that were narrowed from it, or by --id any link of a chain; operator only. Servers see it
    at their next request.

    Example: contextful token revoke --token-file ann.token
    """
    from contextful_cli import output
    from contextful_cli.credentials import authenticate, revocations, tokens
    from contextful_cli.errors import ContextfulError

    home = authenticate.operator_home("token revoke")
    if (revocation_id is None) == (token_file is None):
        raise ContextfulError("ArgumentMalformed", "give either --id ID or --token-file FILE")
    revoked = revocation_id or tokens.inspect(_token(token_file))["revocation_ids"][-1]
    output.emit({"revoked": revoked, "is_new": revocations.revoke(home, revoked)}, as_json=as_json)


def rotate_root_verb(
    accept_until: Annotated[
        str | None, typer.Option(help="Take tokens of the old key until then; default: no more at once.", metavar="I")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Sign with a new root key from now on; operator only. Tokens of the old one stop counting, or do so at an instant.

    Example: contextful token rotate-root --accept-until 2026-12-31T00:00:00Z
    """
    from contextful_cli import instants, output
    from contextful_cli.credentials import authenticate, roots, tokens

    home = authenticate.operator_home("token rotate-root")
    roots.rotate(home, None if accept_until is None else instants.stored("--accept-until", accept_until))
    tokens.write_operator(home)
    output.emit({"roots": roots.accepted(home)}, as_json=as_json)


def rotate_pepper_verb(
    yes: Annotated[bool, typer.Option("--yes", help="Give up the key digests that stored citations keep.")] = False,
    as_json: AsJson = False,
) -> None:
    """Make a new pepper; operator only. Digests made with the old one resolve no more: a claim whose cited row is gone
    is then withheld, where recall would have found a newer version of its key.

    Example: contextful token rotate-pepper --yes
    """
    from contextful_cli import output, pepper
    from contextful_cli.credentials import authenticate
    from contextful_cli.errors import ContextfulError

    home = authenticate.operator_home("token rotate-pepper")
    if not yes:
        raise ContextfulError("ArgumentMalformed", "it gives up the digests that stored citations keep; say --yes")
    pepper.rotate(home)
    output.emit({"rotated": "pepper"}, as_json=as_json)


def agent_key_verb(
    out: Annotated[Path, typer.Option(help="Where the private key goes, mode 0600.")], as_json: AsJson = False
) -> None:
    """Make a key with which an agent signs the tokens it goes on with. List the public key in agents.yml to trust it.

    Example: contextful token agent-key --out planner.key
    """
    from contextful_cli import output
    from contextful_cli.credentials import tokens

    output.emit({"public_key": tokens.make_agent_key(out)}, as_json=as_json)


def _lists(*options: list[str] | None) -> list[tuple[str, ...]]:
    return [tuple(option or ()) for option in options]


def _token(token_file: str | None) -> str:
    """The token to work on; never an argument, which other users of the machine could see."""
    from contextful_cli.errors import ContextfulError

    if token_file is None:
        token = os.environ.get("CONTEXTFUL_TOKEN", "")
    elif token_file == "-":
        token = sys.stdin.read()
    else:
        try:
            token = Path(token_file).read_text("ascii", "replace")
        except OSError as error:
            raise ContextfulError("ArgumentMalformed", f"{token_file} cannot be read: {error.strerror}") from None
    if not token.strip():
        raise ContextfulError("CredentialMissing", "give --token-file FILE, or set $CONTEXTFUL_TOKEN")
    return token.strip()


def _give(token: str, out: Path | None, *, as_json: bool) -> None:
    from contextful_cli import output, private
    from contextful_cli.credentials import tokens

    ids = tokens.inspect(token)["revocation_ids"]
    if out is None:
        output.emit({"token": token, "revocation_ids": ids}, as_json=as_json)
        return
    private.write(out, f"{token}\n".encode(), replace=True)
    output.emit({"file": str(out), "revocation_ids": ids}, as_json=as_json)


def _status(token: str) -> str:
    """Whether it counts: `valid`, a refusal's identifier, or `unchecked` where there is no project to ask."""
    from contextful_cli.credentials.authenticate import LOCAL, authenticate
    from contextful_cli.errors import ContextfulError
    from contextful_cli.settings import Home

    try:
        home = Home.locate()
        home.root_keys.stat()
    except (ContextfulError, OSError):
        return "unchecked"
    try:
        authenticate(home, token, LOCAL)
    except ContextfulError as error:
        return error.identifier
    return "valid"


def _inspected(shown: dict[str, Any]) -> Any:
    from contextful_cli import output

    yield f"status  {shown['status']}"
    for number, (block, revocation_id) in enumerate(zip(shown["blocks"], shown["revocation_ids"], strict=False)):
        yield f"\nblock {number}  {revocation_id}"
        yield from (f"  {name}  {output.cell(value)}" for name, value in block.items())
