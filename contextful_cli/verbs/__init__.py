"""One module a verb: parse, one call, print. A verb's function carries its name; heavy imports stay inside it."""

from collections.abc import Callable
from importlib import import_module

COMMANDS = ("init", "land", "build", "status", "doctor", "upgrade", "shell", "serve", "mcp")
GROUPS = {
    "declare": ("The declared tables: what may land, and in which shape.", ("list", "check", "import")),
    "memory": (
        "Claims: write, replace, end and recall them; predictions and what came of them.",
        ("write", "expire", "retract", "recall", "subjects", "why", "letters", "predict", "observe", "calibration"),
    ),
    "token": (
        "Credentials: who may read and write what, for whom and how long.",
        ("mint", "attenuate", "inspect", "revoke", "rotate-root", "rotate-pepper", "agent-key"),
    ),
    "audit": ("The read ledger: who read what, in a chain that shows tampering.", ("verify", "list", "seal")),
}
# Groups whose verbs stand together in one module.
TOGETHER = ("declare", "token", "audit")


def load(name: str, group: str | None = None) -> Callable[..., None]:
    """The function of a verb: in `verbs/<name>.py`, or with the others of its group in `verbs/<group>.py`."""
    module = group if group in TOGETHER else name
    return getattr(import_module(f"contextful_cli.verbs.{module}"), f"{name.replace('-', '_')}_verb")
