"""Figures of commands as cold processes."""

import statistics
import subprocess
import sys
import time

from workshop import Workshop

REPEATS = 7


def recall(shop: Workshop) -> tuple[float, float]:
    """Median seconds of one `memory recall`, and the seconds it may take: 0.6 above `python -c "import duckdb"`."""
    command = shop.command("memory", "recall", "--table", "facts", "--subject", "s1")
    ours = statistics.median(_once(shop, command) for _ in range(REPEATS))
    other = statistics.median(_once(shop, [sys.executable, "-c", "import duckdb"]) for _ in range(REPEATS))
    return ours, other + 0.6


def _once(shop: Workshop, command: list[str]) -> float:
    begun = time.perf_counter()
    subprocess.run(command, env=shop.environment, check=True, capture_output=True)
    return time.perf_counter() - begun
