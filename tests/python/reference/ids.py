"""Claim ids, as the contract spells them out."""

import hashlib


def _prefixed(text: str) -> bytes:
    data = text.encode()
    return len(data).to_bytes(8, "big") + data


def claim_id(subject: str, predicate: str, object: str, scope: str | None = None, dedup_key: str | None = None) -> str:
    """`c-` and 24 hex digits; a claim under a dedup key has an id of its own."""
    keyed = b"" if dedup_key is None else b"dedup_key" + _prefixed(dedup_key)
    parts = b"".join(_prefixed(part) for part in (subject, predicate, object, scope or ""))
    return "c-" + hashlib.sha256(keyed + parts).hexdigest()[:24]
