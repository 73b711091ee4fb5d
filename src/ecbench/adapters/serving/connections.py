"""Limits on clients: how many connections there are, how large a request is, and how long it takes to arrive.

uvicorn parses requests with h11, which limits the head. `LimitedRequests` is the middleware in front of every
application: it passes a request on once its body has arrived. uvicorn sets no limit on connections that have not sent a
request, so `Connection` reports every connection as it opens and closes.
"""

import asyncio
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

import h11
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from uvicorn.protocols.http.h11_impl import H11Protocol

from ecbench.adapters.serving.asgi import RequestRefused, begin_answer, header

Address = tuple[str, int]
"""Host and port of a client; each of its connections has another."""


@dataclass(frozen=True, slots=True)
class Limits:
    """Sizes in bytes, times in seconds. An honest client stays far below all of them."""

    head: int = 16 << 10  # the address and all headers
    headers: int = 100
    body: int = 1 << 20
    bodies: int = 8 << 20  # of all requests that have arrived in part
    head_seconds: float = 10.0  # from the connection, or from the answer to the request before
    body_seconds: float = 30.0  # from the end of the head
    idle_seconds: int = 5  # between two requests on one connection
    unread_seconds: float = 30.0  # in which a client takes nothing of its answer
    connections: int = 1_024
    unfinished: int = 512  # connections that have not sent a complete request yet
    surplus: int = 8 << 20  # read and discarded after a refusal, or a client that is still sending would not see it
    surplus_seconds: float = 2.0
    grace_seconds: int = 3  # after a signal, for requests that are being answered
    stop_seconds: float = 5.0  # after a signal, for everything


class Connections:
    """The open connections of a server. Of too many, the oldest that waits for a request is closed for a new one."""

    def __init__(self, limits: Limits) -> None:
        self.limits = limits
        self._open: dict[Address, asyncio.Transport] = {}
        self._unfinished: dict[Address, float] = {}  # without a complete request so far, with the time they were opened
        self._idle: dict[Address, float] = {}  # with the time of their last answer
        self._answering: dict[Address, int] = {}  # requests: the next one may arrive before the last one's task ends
        self._bodies: dict[Address, int] = {}  # bytes of requests that have arrived in part
        self._unread: dict[Address, tuple[int, float]] = {}  # bytes of answers, and since when there are no fewer

    @property
    def requests(self) -> int:
        """Those that are complete, and not answered yet."""
        return len(self._open) - len(self._unfinished) - len(self._idle)

    def opened(self, client: Address, transport: asyncio.Transport) -> None:
        while len(self._unfinished) >= self.limits.unfinished:
            self._close(next(iter(self._unfinished)))
        if len(self._open) >= self.limits.connections and (waiting := self._unfinished or self._idle):
            self._close(next(iter(waiting)))
        self._open[client] = transport
        self._unfinished[client] = asyncio.get_running_loop().time()

    def closed(self, client: Address) -> None:
        for each in (self._open, self._unfinished, self._idle, self._answering, self._bodies, self._unread):
            each.pop(client, None)

    def received(self, client: Address, size: int) -> None:
        """Bytes of a body that is not complete. Of too many, the oldest such request is closed."""
        self._bodies[client] = self._bodies.get(client, 0) + size
        while sum(self._bodies.values()) > self.limits.bodies:
            self._close(next(iter(self._bodies)))

    def completed(self, client: Address) -> None:
        """A request is complete. Raises RequestRefused where too many are being answered."""
        for each in (self._unfinished, self._idle, self._bodies):
            each.pop(client, None)
        if self.requests > self.limits.connections:
            raise RequestRefused(503, "too many requests are being answered; send it again later")
        self._answering[client] = self._answering.get(client, 0) + 1

    def answered(self, client: Address) -> None:
        """The task of a request has ended."""
        left = self._answering.pop(client, 1) - 1
        if left:
            self._answering[client] = left
        elif client in self._open and client not in self._unfinished:
            self._idle[client] = asyncio.get_running_loop().time()

    def check_times(self) -> None:
        """Close the connections that wait too long for a request, and those whose client does not read its answer."""
        now, limits = asyncio.get_running_loop().time(), self.limits
        for client, since in [*self._unfinished.items(), *self._idle.items()]:
            arriving = client in self._bodies  # the middleware refuses a body that is late
            if now - since > limits.head_seconds and not arriving and client not in self._unread:
                self._close(client)
        for client, transport in list(self._open.items()):
            left = transport.get_write_buffer_size()
            before, since = self._unread.pop(client, (left + 1, now))
            if left:
                self._unread[client] = (left, since if left >= before else now)
                if now - self._unread[client][1] > limits.unread_seconds:
                    self._close(client)

    def close_unfinished(self) -> None:
        """Close the connections whose request has arrived in part, or not at all."""
        for client in [*self._unfinished, *self._bodies]:
            self._close(client)

    def close_all(self) -> None:
        for client in list(self._open):
            self._close(client)

    def _close(self, client: Address) -> None:
        transport = self._open.get(client)
        self.closed(client)
        if transport is not None:
            transport.abort()


class Connection(H11Protocol):
    """A connection of uvicorn that is counted while it is open."""

    def __init__(self, *given: Any, connections: Connections, **named: Any) -> None:
        super().__init__(*given, **named)
        self._counted = connections
        self._address: Address = ("", 0)

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._address = self.client or self._address
        self._counted.opened(self._address, transport)

    def connection_lost(self, exc: Exception | None) -> None:
        self._counted.closed(self._address)
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """uvicorn cannot answer what is malformed after its answer."""
        try:
            super().data_received(data)
        except h11.LocalProtocolError:
            self.transport.abort()


class LimitedRequests:
    """Calls the application once a request is complete; its body is then received in one piece."""

    def __init__(self, app: ASGIApp, connections: Connections) -> None:
        self.app = app
        self.connections = connections
        self.limits = connections.limits

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        client = tuple(scope["client"])
        try:
            body = await self._body(scope, client, receive)
            if body is None:
                return
            self.connections.completed(client)
        except RequestRefused as refusal:
            await self._refuse(refusal, receive, send)
            return
        whole: list[Message] = [{"type": "http.request", "body": body, "more_body": False}]

        async def received() -> Message:
            return whole.pop() if whole else await receive()

        try:
            with suppress(asyncio.CancelledError):  # the server stops, and the client is gone
                await self.app(scope, received, send)
        finally:
            self.connections.answered(client)

    async def _body(self, scope: Scope, client: Address, receive: Receive) -> bytes | None:
        """None where the client has left. Raises RequestRefused."""
        headers = scope["headers"]
        head = (
            len(scope["raw_path"]) + len(scope["query_string"]) + sum(len(name) + len(value) for name, value in headers)
        )
        if head > self.limits.head or len(headers) > self.limits.headers:
            most = f"at most {self.limits.headers} headers and {self.limits.head:,} bytes"
            raise RequestRefused(431, f"the head of a request has {most}")
        too_large = RequestRefused(413, f"a body has at most {self.limits.body:,} bytes")
        if int(header(scope, b"content-length") or 0) > self.limits.body:
            raise too_large
        parts, size, more = [], 0, True
        self.connections.received(client, 0)
        try:
            async with asyncio.timeout(self.limits.body_seconds):
                while more:
                    message = await receive()
                    if message["type"] == "http.disconnect":
                        return None
                    part, more = message.get("body", b""), message.get("more_body", False)
                    parts.append(part)
                    size += len(part)
                    if size > self.limits.body:
                        raise too_large
                    if more:
                        self.connections.received(client, len(part))
        except TimeoutError as late:
            seconds = f"{self.limits.body_seconds:g} seconds"
            raise RequestRefused(408, f"the body of the request did not arrive within {seconds}") from late
        return b"".join(parts)

    async def _refuse(self, refusal: RequestRefused, receive: Receive, send: Send) -> None:
        """Answer, and read on for a while: a client that is still sending would not see the answer."""
        await begin_answer(send, {"error": f"{refusal}"}, refusal.status, {"Connection": "close", **refusal.headers})
        surplus, more = 0, True
        with suppress(TimeoutError):
            async with asyncio.timeout(self.limits.surplus_seconds):
                while more and surplus < self.limits.surplus:
                    message = await receive()
                    more = message.get("more_body", False)
                    surplus += len(message.get("body", b""))
        await send({"type": "http.response.body"})
