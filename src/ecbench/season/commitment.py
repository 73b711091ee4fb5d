"""Seeds and a salt that nobody can know before a season opens, and that nobody can choose.

The organiser publishes a commitment to a secret, and the round of a public randomness beacon that is still to come.
Seeds and salt follow from both: without the secret nobody can compute them, and without the beacon the organiser cannot
either.
"""

import hmac
from hashlib import sha256

from msgspec import Struct

from ecbench.errors import RunError

SECRET_BYTES = 32
RANDOMNESS_BYTES = 32
SIGNATURE_BYTES = 48
SEED_BITS = 63  # the largest seed that a world takes
SALT_BYTES = 16

_COMMITMENT = b"ecbench season commitment, version 1\n"
_SEED = b"ecbench season seed, version 1\n"
_SALT = b"ecbench season salt, version 1\n"


class Beacon(Struct, frozen=True, forbid_unknown_fields=True):
    """A round of a public randomness beacon."""

    round: int
    network: str = "drand quicknet"
    chain: str = "52db9ba70e0cc0f6eaf7803dd07447a1f5477735fd3f661792ba94600c84e971"
    genesis: int = 1692803367  # the time of round 1, in seconds since 1970
    period: int = 3  # seconds

    @property
    def time(self) -> int:
        """When the round is published, in seconds since 1970."""
        return self.genesis + (self.round - 1) * self.period

    @property
    def path(self) -> str:
        """Where any relay of the network has the round."""
        return f"/{self.chain}/public/{self.round}"


class BeaconValue(Struct, frozen=True, forbid_unknown_fields=True):
    """What a beacon published in a round, as hex."""

    randomness: str
    signature: str | None = None  # whose SHA-256 the randomness is


def parse_beacon_value(text: str) -> BeaconValue:
    """From the hex of a randomness or of a signature. Raises RunError."""
    content = hex_bytes(text, "a beacon value")
    if len(content) == RANDOMNESS_BYTES:
        return BeaconValue(content.hex())
    if len(content) == SIGNATURE_BYTES:
        return BeaconValue(sha256(content).hexdigest(), content.hex())
    raise RunError(
        f"a beacon value is the {RANDOMNESS_BYTES} bytes of its randomness or the {SIGNATURE_BYTES} bytes of its "
        f"signature in hex, not {len(content)} bytes"
    )


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


def season_seeds(name: str, secret: bytes, beacon: Beacon, randomness: bytes, worlds: int) -> list[int]:
    """The seeds of a season's worlds."""
    source = _source(_SEED, name, beacon, randomness)
    digests = (hmac.digest(secret, source + number.to_bytes(4), "sha256") for number in range(worlds))
    return [int.from_bytes(digest) >> (8 * len(digest) - SEED_BITS) for digest in digests]


def season_salt(name: str, secret: bytes, beacon: Beacon, randomness: bytes) -> str:
    """The salt of a season's worlds, as hex. It keys their hidden draws, which the seeds alone do not give away."""
    return hmac.digest(secret, _source(_SALT, name, beacon, randomness), "sha256")[:SALT_BYTES].hex()


def _source(purpose: bytes, name: str, beacon: Beacon, randomness: bytes) -> bytes:
    fields = b"".join(map(_field, (name.encode(), beacon.chain.encode(), randomness)))
    return purpose + fields + beacon.round.to_bytes(8)


def _field(content: bytes) -> bytes:
    """With its length in front, so that no two lists of fields have the same bytes."""
    return len(content).to_bytes(4) + content
