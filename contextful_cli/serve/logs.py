"""What a server writes on stderr: faults of its own, never a token, a body or a subject."""

import logging
import sys


def to_stderr() -> None:
    """Send our log to stderr, and silence those that would repeat what a client sent."""
    logging.basicConfig(stream=sys.stderr, level=logging.WARNING, format="%(asctime)s %(levelname)s %(message)s")
    for name in ("mcp", "uvicorn", "uvicorn.error", "uvicorn.access"):
        logging.getLogger(name).setLevel(logging.CRITICAL)
