"""The agents' keys that the project trusts: `agents.yml` in the project folder, name to public keys.

    agents:
      indexer: [ed25519/5b7f…]

A block of a token that names an agent counts only when it is signed by one of that agent's keys.
"""

import re
from pathlib import Path
from typing import Any

import yaml

from contextful_cli.errors import ContextfulError

FILE = "agents.yml"
PUBLIC_KEY = re.compile(r"ed25519/[0-9a-f]{64}")


def trusted(project: Path) -> dict[str, frozenset[str]]:
    """Agent name to its public keys as texts; empty without the file. Refuses a malformed one: DeclarationMalformed."""
    try:
        document = yaml.safe_load((project / FILE).read_bytes())
    except FileNotFoundError:
        return {}
    except (yaml.YAMLError, UnicodeError) as error:
        raise _malformed(" ".join(str(error).split())) from None
    return _keys(document)


def _keys(document: Any) -> dict[str, frozenset[str]]:
    agents = document.get("agents") if isinstance(document, dict) and set(document) == {"agents"} else None
    if not isinstance(agents, dict):
        raise _malformed("write one mapping `agents`, name to a list of public keys")
    for name, keys in agents.items():
        listed = isinstance(keys, list) and keys and all(isinstance(key, str) for key in keys)
        if not isinstance(name, str) or not listed or not all(PUBLIC_KEY.fullmatch(key) for key in keys):
            raise _malformed(f"`{name}` takes a list of public keys such as ed25519/ and 64 hex digits")
    return {name: frozenset(keys) for name, keys in agents.items()}


def _malformed(text: str) -> ContextfulError:
    return ContextfulError("DeclarationMalformed", f"{FILE}: {text}")
