"""The read ledger: who read what, in a chain of hashes that shows tampering."""

from contextful_cli.ledger.store import Ledger

__all__ = ["Ledger"]
