"""Named streams of chance: what one part of the world draws never shifts what another part draws."""

from hashlib import sha256
from random import Random


def stream(seed: int, *names: str) -> Random:
    digest = sha256("/".join((str(seed), *names)).encode()).digest()
    return Random(int.from_bytes(digest[:8], "big"))
