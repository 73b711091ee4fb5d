"""How much a server takes from its clients before it refuses."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Limits:
    """Sizes in bytes, times in seconds. An honest client stays far below all of them."""

    line: int = 16 << 10  # the address of a request
    head: int = 64 << 10  # the address and all headers
    headers: int = 100
    body: int = 1 << 20
    head_seconds: float = 10.0  # from the connection, or from the first byte of a further request
    body_seconds: float = 30.0  # from the end of the head
    idle_seconds: int = 5  # between two requests on one connection
    unread_seconds: float = 30.0  # in which a client takes nothing of its answer
    pipelined: int = 16  # requests that wait for the answer to the one before
    connections: int = 4_096
    per_client: int = 1_024  # connections from one address; many agents may share one
    unfinished: int = 512  # requests that have arrived in part; the oldest is refused for a further one
    unfinished_bytes: int = 128 << 20  # their bodies
    surplus: int = 8 << 20  # read and discarded after a refusal, or a client that is still sending would not see it
    surplus_seconds: float = 2.0
    grace_seconds: int = 3  # after a signal, for requests that are being answered
    stop_seconds: float = 5.0  # after a signal, for everything
