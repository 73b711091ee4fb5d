"""A server as a process: it listens, prints one line of JSON, and serves until it is stopped."""

import asyncio
import ipaddress
import json
import re
import resource
import socket
import sys
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any, cast

import h11
import uvicorn
from starlette.types import ASGIApp
from uvicorn.protocols.http.h11_impl import H11Protocol

from ecbench.adapters.serving.limits import IdleConnections, LimitedRequests, Limits
from ecbench.errors import RunError

LOOPBACK = "127.0.0.1"
TOKEN = re.compile(r"[!-~]([ -~]*[!-~])?")  # what every client can send in a header
BACKLOG = 2_048  # connections that wait to be accepted; asyncio may accept them all before it closes any
SWITCH_SECONDS = 0.0001  # after which a thread with a long turn yields to the others
POLL_SECONDS = 0.1
USUAL_LIMITS = Limits()


def listen(address: str, port: int, tokens: Sequence[str] = ()) -> socket.socket:
    """A bound socket. Raises RunError for an address that cannot be listened on, and for a token that is unusable.

    `tokens` are those that the user chose; without one only this machine may reach the address.
    """
    if any(not TOKEN.fullmatch(token) for token in tokens):
        raise RunError(
            "--token: a token is made of letters, digits and signs of ASCII, one at least, without spaces at its ends"
        )
    family = socket.AF_INET6 if ":" in address else socket.AF_INET
    if not tokens and not is_loopback(address):
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
    """Whether only this machine can reach the address."""
    try:
        return ipaddress.ip_address(address).is_loopback
    except ValueError:
        return address == "localhost"


def base_url(listening: socket.socket) -> str:
    """The address of a server without a path."""
    address, port = listening.getsockname()[:2]
    return f"http://[{address}]:{port}" if ":" in address else f"http://{address}:{port}"


def open_address(listening: socket.socket) -> str:
    """An address that a browser of this machine can open, also where the server listens on all addresses."""
    address = base_url(listening)
    return address.replace("//0.0.0.0:", f"//{LOOPBACK}:").replace("//[::]:", "//[::1]:")


def host_names(address: str) -> tuple[str, str]:
    """The Host headers that a browser may send for an address."""
    host = address.removeprefix("http://")
    return host, host.replace(LOOPBACK, "localhost")


def ready_line(listening: socket.socket, token: str | None, path: str = "") -> str:
    """What a program that starts a server reads; a token that the user chose is not printed."""
    return json.dumps({"status": "ready", "base_url": base_url(listening) + path, "token": token})


def serve(app: ASGIApp, listening: socket.socket, on_ready: Callable[[], None], *, lifespan: bool = False) -> None:
    """Serve until a signal; then requests that have arrived are answered."""
    server_of(app, on_ready, lifespan=lifespan).run(sockets=[listening])


def server_of(
    app: ASGIApp,
    on_ready: Callable[[], None],
    *,
    lifespan: bool = False,
    limits: Limits = USUAL_LIMITS,
) -> "AnnouncingServer":
    """The server of an application. Requests are not logged: turns are in the record, and headers hold tokens."""
    descriptors = resource.getrlimit(resource.RLIMIT_NOFILE)[0]
    most = min(limits.connections, descriptors // 2)
    limits = replace(limits, connections=most, unfinished=min(limits.unfinished, most // 4))
    requests = LimitedRequests(app, limits)
    config = uvicorn.Config(
        requests,
        http="h11",
        h11_max_incomplete_event_size=limits.head,
        backlog=min(BACKLOG, descriptors // 8),
        lifespan="on" if lifespan else "off",
        ws="none",
        access_log=False,
        log_level="error",
        server_header=False,
        proxy_headers=False,  # clients are identified by their token, not by their address
        timeout_keep_alive=limits.idle_seconds,
        timeout_graceful_shutdown=limits.grace_seconds,
    )
    return AnnouncingServer(config, requests, on_ready)


class AnnouncingServer(uvicorn.Server):
    """A server that reports when it is ready, and stops within a time limit."""

    def __init__(self, config: uvicorn.Config, requests: LimitedRequests, on_ready: Callable[[], None]) -> None:
        super().__init__(config)
        self._requests = requests
        self._idle = IdleConnections(requests.limits)
        self._on_ready = on_ready

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        sys.setswitchinterval(SWITCH_SECONDS)
        asyncio.get_running_loop().set_exception_handler(_on_exception)
        await super().startup(sockets)
        self._on_ready()

    async def on_tick(self, counter: int) -> bool:
        self._idle.check(self._connections(), asyncio.get_running_loop().time())
        return await super().on_tick(counter)

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Requests that have arrived are answered, within the time limit. A second Ctrl-C does not wait."""
        loop, limits = asyncio.get_running_loop(), self._requests.limits
        until = loop.time() + limits.stop_seconds
        cut = loop.call_later(limits.grace_seconds - POLL_SECONDS, self._close_all)
        self._requests.refuse_arriving()
        stopping = asyncio.ensure_future(super().shutdown(sockets))
        while not stopping.done() and not self.force_exit and loop.time() < until:
            await asyncio.wait([stopping], timeout=POLL_SECONDS)
        cut.cancel()

    def _connections(self) -> list[H11Protocol]:
        return cast("list[H11Protocol]", list(self.server_state.connections))

    def _close_all(self) -> None:
        for connection in self._connections():
            connection.transport.abort()


def _on_exception(loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
    """uvicorn cannot answer what is malformed after its answer; asyncio closes such a connection."""
    if not isinstance(context.get("exception"), h11.LocalProtocolError):
        loop.default_exception_handler(context)
