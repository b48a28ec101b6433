"""One module a verb: parse, one call, print. A verb's function carries its name; heavy imports stay inside it."""

from collections.abc import Callable
from importlib import import_module

COMMANDS = ("init", "land", "build", "status", "doctor", "upgrade", "shell")
GROUPS = {
    "declare": ("The declared tables: what may land, and in which shape.", ("list", "check", "import")),
    "memory": (
        "Claims: write, replace, end and recall them; predictions and what came of them.",
        ("write", "expire", "retract", "recall", "subjects", "why", "letters", "predict", "observe", "calibration"),
    ),
}


def load(name: str, group: str | None = None) -> Callable[..., None]:
    """The function of a verb: in `verbs/<name>.py`, or in `verbs/declare.py` for the three that go together."""
    module = "declare" if group == "declare" else name
    return getattr(import_module(f"contextful_cli.verbs.{module}"), f"{name}_verb")
