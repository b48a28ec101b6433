"""A progress bar for work that takes its time: on stderr, and only where stderr is a terminal."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

Progress = Callable[[int, int | None], None]
"""Told what is done and what there is in all (None: unknown), in any one unit."""


@contextmanager
def shown(title: str) -> Iterator[Progress]:
    """A bar for the block; without a terminal, nothing."""
    if not sys.stderr.isatty():
        yield lambda done, total: None
        return
    from rich.console import Console
    from rich.progress import Progress as Bars

    with Bars(console=Console(stderr=True), transient=True) as bars:
        task = bars.add_task(title, total=None)
        yield lambda done, total: bars.update(task, completed=done, total=total)
