"""Seeds and a salt that nobody can know before a season opens, and that nobody can choose (docs/season.md)."""

import hmac
from hashlib import sha256

from ecbench.errors import RunError

SECRET_BYTES = 32
CHAIN = "52db9ba70e0cc0f6eaf7803dd07447a1f5477735fd3f661792ba94600c84e971"
GENESIS = 1692803367  # the time of round 1, in seconds since 1970
PERIOD = 3  # seconds
RANDOMNESS_BYTES = 32
SIGNATURE_BYTES = 48
SEED_BITS = 63  # the largest seed that a world takes
SALT_BYTES = 16

_COMMITMENT = b"ecbench season commitment, version 1\n"
_SEED = b"ecbench season seed, version 1\n"
_SALT = b"ecbench season salt, version 1\n"


def round_time(number: int) -> int:
    """When the beacon publishes a round, in seconds since 1970."""
    return GENESIS + (number - 1) * PERIOD


def randomness_of(beacon_value: str) -> bytes:
    """From the hex of what the beacon published in a round, its randomness or its signature. Raises RunError."""
    content = hex_bytes(beacon_value, "a beacon value")
    if len(content) not in (RANDOMNESS_BYTES, SIGNATURE_BYTES):
        sizes = f"{RANDOMNESS_BYTES} bytes of randomness or {SIGNATURE_BYTES} of a signature"
        raise RunError(f"a beacon value has {sizes}, in hex, not {len(content)} bytes")
    return content if len(content) == RANDOMNESS_BYTES else sha256(content).digest()


def hex_bytes(text: str, what: str) -> bytes:
    """Raises RunError unless the text is hexadecimal digits and nothing else."""
    digits = text.strip()
    try:
        if not digits.isalnum():
            raise ValueError
        return bytes.fromhex(digits)
    except ValueError as error:
        raise RunError(f"{what} is written in hexadecimal digits, two for each byte") from error


def commitment_of(name: str, secret: bytes) -> str:
    """What can be published before a season opens: it fixes the secret and does not reveal it."""
    return sha256(_COMMITMENT + _field(name.encode()) + _field(secret)).hexdigest()


def season_seeds(name: str, secret: bytes, number: int, randomness: bytes, worlds: int) -> list[int]:
    """The seeds of a season's worlds, from a round of the beacon."""
    source = _source(_SEED, name, number, randomness)
    digests = (hmac.digest(secret, source + world.to_bytes(4), "sha256") for world in range(worlds))
    return [int.from_bytes(digest) >> (8 * len(digest) - SEED_BITS) for digest in digests]


def season_salt(name: str, secret: bytes, number: int, randomness: bytes) -> str:
    """The salt of a season's worlds, as hex. It keys their hidden draws, which the seeds alone do not give away."""
    return hmac.digest(secret, _source(_SALT, name, number, randomness), "sha256")[:SALT_BYTES].hex()


def _source(purpose: bytes, name: str, number: int, randomness: bytes) -> bytes:
    fields = b"".join(map(_field, (name.encode(), CHAIN.encode(), randomness)))
    return purpose + fields + number.to_bytes(8)


def _field(content: bytes) -> bytes:
    """With its length in front, so that no two lists of fields have the same bytes."""
    return len(content).to_bytes(4) + content
