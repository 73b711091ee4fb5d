"""A server as a process: it listens, prints one line of JSON, and serves until it is stopped."""

import asyncio
import ipaddress
import json
import socket
import sys
from collections.abc import Awaitable, Callable
from typing import Any

import uvicorn
from starlette.types import ASGIApp

from ecbench.errors import RunError

LOOPBACK = "127.0.0.1"
BACKLOG = 2_048  # connections that wait to be accepted
SWITCH_SECONDS = 0.0001  # after which a thread that settles a year yields to turns
LOOK_SECONDS = 0.1


def listen(address: str, port: int, *, trusted: bool) -> socket.socket:
    """Raises RunError where the address cannot be listened on. `trusted`: the user chose the token."""
    family = socket.AF_INET6 if ":" in address else socket.AF_INET
    if not trusted and not is_loopback(address):
        raise RunError(
            f"--bind {address} can be reached from other machines; choose a token for it with --token, at best a long "
            "random one in ECBENCH_TOKEN"
        )
    # The protocol is named: asyncio disables Nagle's algorithm only where it can see that it is TCP.
    listening = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    try:
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind((address, port))
    except OSError as error:
        listening.close()
        raise RunError(f"cannot listen on {address}, port {port}: {error.strerror}") from error
    return listening


def is_loopback(address: str) -> bool:
    try:
        return ipaddress.ip_address(address).is_loopback
    except ValueError:
        return address == "localhost"


def base_url(listening: socket.socket) -> str:
    address, port = listening.getsockname()[:2]
    return f"http://[{address}]:{port}" if ":" in address else f"http://{address}:{port}"


def host_names(address: str) -> tuple[str, str]:
    """The Host headers that a browser may send for an address."""
    place = address.removeprefix("http://")
    return place, place.replace(LOOPBACK, "localhost")


def ready_line(listening: socket.socket, token: str | None, path: str = "") -> str:
    """What a program that starts a server reads; a token that the user chose is not printed."""
    return json.dumps({"status": "ready", "base_url": base_url(listening) + path, "token": token})


async def nothing_left() -> None:
    """For a server that can stop at once."""


def serve(
    app: ASGIApp,
    listening: socket.socket,
    on_ready: Callable[[], None],
    last_work: Callable[[], Awaitable[None]] = nothing_left,
    **settings: Any,
) -> None:
    """Serve until a signal; then requests under way are answered, and the last work is done."""
    sys.setswitchinterval(SWITCH_SECONDS)
    server_of(app, on_ready, last_work, **settings).run(sockets=[listening])


def server_of(
    app: ASGIApp,
    on_ready: Callable[[], None],
    last_work: Callable[[], Awaitable[None]] = nothing_left,
    **settings: Any,
) -> "Announcing":
    """Requests are not logged: turns are in the record, and headers hold tokens."""
    usual = {
        "lifespan": "off",
        "ws": "none",
        "access_log": False,
        "log_level": "warning",
        "server_header": False,
        "proxy_headers": False,  # clients are identified by their token, not by their address
    }
    return Announcing(uvicorn.Config(app, backlog=BACKLOG, **{**usual, **settings}), on_ready, last_work)


class Announcing(uvicorn.Server):
    """A server that reports when it is ready, and has work to do before it stops."""

    def __init__(
        self, config: uvicorn.Config, on_ready: Callable[[], None], last_work: Callable[[], Awaitable[None]]
    ) -> None:
        super().__init__(config)
        self._on_ready = on_ready
        self._last_work = last_work

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        self._on_ready()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """A second Ctrl-C does not wait for the last work."""
        await super().shutdown(sockets)
        last = asyncio.ensure_future(self._last_work())
        while not last.done() and not self.force_exit:
            await asyncio.wait([last], timeout=LOOK_SECONDS)
