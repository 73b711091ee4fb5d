"""Named random streams: the draws of one part of a world never shift those of another part."""

from hashlib import sha256
from random import Random


def stream(seed: int, *names: str) -> Random:
    digest = sha256("/".join((str(seed), *names)).encode()).digest()
    return Random(int.from_bytes(digest[:8], "big"))
