"""A served workshop: `contextful serve` in a process of its own, and tokens for its clients."""

import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

import psutil
from workshop import Workshop

from contextful_cli.credentials import tokens, wishes


@dataclass(frozen=True)
class Server:
    """url: where it listens."""

    url: str
    process: subprocess.Popen

    def resident_bytes(self) -> int:
        return psutil.Process(self.process.pid).memory_info().rss


@contextmanager
def running(shop: Workshop) -> Iterator[Server]:
    """The workshop's home, served and writable, for the block; it must end by itself and well."""
    command = shop.command("serve", "--port", "0", "--writable")
    process = subprocess.Popen(command, env=shop.environment, stderr=subprocess.PIPE, text=True)
    try:
        yield Server(process.stderr.readline().split()[-1], process)
    finally:
        process.terminate()
        said = process.communicate(timeout=60)[1]
        if process.returncode != 0:
            raise SystemExit(f"the server ended with {process.returncode}: {said}")


def token(shop: Workshop, who: str) -> str:
    """Reads facts and their evidence, writes facts."""
    asked = wishes.Wish(on_behalf_of=who, task="t", read=("facts", "events"), write=("facts",), expires_in="1d")
    return tokens.mint(shop.home, wishes.block(asked))
