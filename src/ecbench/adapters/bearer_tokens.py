"""Bearer tokens: compared in constant time, and stored as hashes alone."""

import secrets
from hashlib import sha256
from hmac import compare_digest

SCHEME = "bearer"


def new_token() -> str:
    return secrets.token_urlsafe(32)


def digest(token: str) -> str:
    """A plain hash is enough: tokens on a disk are random and long."""
    return sha256(token.encode(errors="surrogateescape")).hexdigest()


def matches(token: str, known: str) -> bool:
    """Whether `known` is the digest of this token, in constant time."""
    return compare_digest(digest(token), known)


def bearer(header: str | None) -> str:
    """The token of an Authorization header; empty where there is none."""
    scheme, _, token = (header or "").partition(" ")
    return token.strip() if scheme.lower() == SCHEME else ""
