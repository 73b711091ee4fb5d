"""A connection of a client, with limits on what it sends. No code of an application runs before a request is complete.

`Connection` refuses what is too large (431, 413), too slow (408) or too much (503), and closes the connection then.
`complete_requests` holds a request back until its body has arrived.
"""

import asyncio
import json
from collections import Counter
from contextlib import suppress
from http import HTTPStatus
from typing import Any

import httptools
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol, RequestResponseCycle

from ecbench.serving.limits import Limits

CHUNK_OVERHEAD = 2  # times the largest body: what its chunks may take with their sizes, extensions and trailers


class ClientRefused(Exception):
    """Ends the connection with this status and message."""

    def __init__(self, status: HTTPStatus, message: str) -> None:
        super().__init__(message)
        self.status = status


class Traffic:
    """Counts the connections of one server, and the requests that have arrived in part."""

    def __init__(self, limits: Limits) -> None:
        self.limits = limits
        self.connections = 0
        self.by_client: Counter[str] = Counter()
        self.unfinished: dict[Connection, None] = {}  # oldest first
        self.unfinished_bytes = 0

    def opened(self, client: str) -> None:
        """Count a connection until `closed`. Raises ClientRefused where there are too many."""
        self.connections += 1
        self.by_client[client] += 1
        if self.connections > self.limits.connections or self.by_client[client] > self.limits.per_client:
            raise ClientRefused(HTTPStatus.SERVICE_UNAVAILABLE, "too many connections; close some, or try again later")

    def closed(self, client: str) -> None:
        """The connection counts no longer."""
        self.connections -= 1
        self.by_client[client] -= 1
        if not self.by_client[client]:
            del self.by_client[client]

    def refuse_oldest(self) -> None:
        """Refuse the oldest unfinished requests while there are too many. Those of honest clients are new."""
        while len(self.unfinished) > self.limits.unfinished or self.unfinished_bytes > self.limits.unfinished_bytes:
            oldest = next(iter(self.unfinished))
            busy = ClientRefused(HTTPStatus.SERVICE_UNAVAILABLE, "too many requests arrive at once; send it again")
            oldest.refuse(busy, at_once=True)


class Connection(HttpToolsProtocol):
    """Parses requests as uvicorn does, within limits."""

    def __init__(self, *given: Any, traffic: Traffic, **named: Any) -> None:
        super().__init__(*given, **named)
        self._traffic = traffic
        self._limits = traffic.limits
        self._address = ""
        self._in_head = True  # else in the body, or between the last byte of a request and its answer
        self._arriving: RequestResponseCycle | None = None  # the request whose body arrives
        self._read = 0  # bytes of this head or body, as they came
        self._head = 0  # bytes of the address and the headers
        self._body = 0
        self._deadline: asyncio.TimerHandle | None = None
        self._deadline_of_head = True
        self._stalled: asyncio.TimerHandle | None = None
        self._discarded: int | None = None  # bytes, once the connection is refused

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._address = self.client[0] if self.client else ""
        try:
            self._traffic.opened(self._address)
        except ClientRefused as refusal:
            self._discarded = 0
            transport.write(_answer(refusal))
            transport.close()
        else:
            self._watch()

    def connection_lost(self, exc: Exception | None) -> None:
        self._end_request()
        self._traffic.closed(self._address)
        if self._stalled is not None:
            self._stalled.cancel()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        if self._discarded is not None:
            self._discarded += len(data)
            if self._discarded > self._limits.surplus:
                self.transport.abort()
            return
        self._unset_keepalive_if_required()
        self._read += len(data)
        try:
            self.parser.feed_data(data)
            self._check_read()
        except httptools.HttpParserUpgrade:
            self.cycle.keep_alive = False  # nothing is served but HTTP: what follows is not read
            self._discarded = 0
        except (httptools.HttpParserError, ClientRefused) as problem:
            cause = problem if isinstance(problem, ClientRefused) else problem.__context__
            malformed = ClientRefused(HTTPStatus.BAD_REQUEST, "this is not a request of HTTP/1.1")
            self.refuse(cause if isinstance(cause, ClientRefused) else malformed)
            return
        if self._arriving is None and not (self._in_head and self._read):
            self._end_request()
        else:
            self._watch()

    def _check_read(self) -> None:
        """Limits on bytes that the parser has not reported yet: an endless line, the extensions of a chunk."""
        if self._in_head and self._read > self._limits.head:
            raise self._large_head()
        if self._arriving is not None and self._read > CHUNK_OVERHEAD * self._limits.body + self._limits.head:
            raise self._large_body()

    def on_message_begin(self) -> None:
        super().on_message_begin()
        self._head = self._body = 0

    def on_url(self, url: bytes) -> None:
        super().on_url(url)
        self._head += len(url)
        if len(self.url) > self._limits.line:
            raise ClientRefused(
                HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE, f"an address has at most {self._limits.line:,} bytes"
            )

    def on_header(self, name: bytes, value: bytes) -> None:
        """Also of the trailers behind a body."""
        self._head += len(name) + len(value)
        if self._head > self._limits.head or len(self.headers) >= self._limits.headers:
            raise self._large_head()
        super().on_header(name, value)

    def on_headers_complete(self) -> None:
        lengths = [value for name, value in self.headers if name == b"content-length"]
        if any(int(length) > self._limits.body for length in lengths):
            raise self._large_body()
        if len(self.pipeline) >= self._limits.pipelined:
            raise ClientRefused(HTTPStatus.BAD_REQUEST, "wait for an answer before you send the next request")
        super().on_headers_complete()
        self._arriving, self._in_head, self._read = self.cycle, False, 0

    def on_body(self, body: bytes) -> None:
        self._body += len(body)
        self._traffic.unfinished_bytes += len(body)
        if self._body > self._limits.body:
            raise self._large_body()
        super().on_body(body)

    def on_message_complete(self) -> None:
        super().on_message_complete()
        self._traffic.unfinished_bytes -= self._body
        self._arriving, self._in_head, self._read, self._body = None, True, 0, 0

    def on_response_complete(self) -> None:
        super().on_response_complete()
        if self.transport.is_closing():
            self._watch_reader()

    def pause_writing(self) -> None:
        super().pause_writing()
        self._watch_reader()

    def timeout_keep_alive_handler(self) -> None:
        super().timeout_keep_alive_handler()
        self._watch_reader()

    def shutdown(self) -> None:
        """Stop at once if a request is still arriving, else once the answer is sent."""
        if self._arriving is not None:
            self.transport.abort()
        else:
            super().shutdown()

    def refuse(self, refusal: ClientRefused, *, at_once: bool = False) -> None:
        """Answer with the refusal if the client waits for no other answer, and close the connection.

        Unless at once, what the client is still sending is read for a while, or it would not see the answer.
        """
        waiting = self.cycle is not None and not self.cycle.response_complete
        waits_for_another = bool(self.pipeline) or (waiting and self._arriving is None)
        arriving = self._arriving
        self._end_request()
        self._discarded = 0
        if arriving is not None:
            arriving.disconnected = True
            arriving.message_event.set()
        if waits_for_another or self.transport.is_closing():
            self.transport.abort()
            return
        self.transport.write(_answer(refusal))
        if at_once:
            self.transport.close()
            return
        if self.transport.can_write_eof():
            self.transport.write_eof()
        self.flow.resume_reading()
        self._stalled = self.loop.call_later(self._limits.surplus_seconds, self.transport.abort)

    def _watch(self) -> None:
        """Set the deadline of a request that has not arrived, once for its head and once for its body."""
        self._traffic.unfinished.setdefault(self)
        if self._deadline is None or self._deadline_of_head != self._in_head:
            if self._deadline is not None:
                self._deadline.cancel()
            self._deadline_of_head = self._in_head
            seconds = self._limits.head_seconds if self._in_head else self._limits.body_seconds
            self._deadline = self.loop.call_later(seconds, self._too_late)
        self._traffic.refuse_oldest()

    def _end_request(self) -> None:
        """Cancel the deadline, and count this connection no longer among the unfinished."""
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None
        self._traffic.unfinished.pop(self, None)
        self._traffic.unfinished_bytes -= self._body
        self._arriving, self._body = None, 0

    def _too_late(self) -> None:
        if self._in_head and not self._read:
            self.transport.abort()
            return
        part, seconds = ("head", self._limits.head_seconds) if self._in_head else ("body", self._limits.body_seconds)
        message = f"the {part} of the request did not arrive within {seconds:g} seconds"
        self.refuse(ClientRefused(HTTPStatus.REQUEST_TIMEOUT, message))

    def _watch_reader(self) -> None:
        """Close the connection of a client that takes nothing of its answer for too long."""
        if self._stalled is None:
            left = self.transport.get_write_buffer_size()
            self._stalled = self.loop.call_later(self._limits.unread_seconds, self._check_reader, left)

    def _check_reader(self, before: int) -> None:
        self._stalled = None
        left = self.transport.get_write_buffer_size()
        if left and left >= before:
            self.transport.abort()
        elif left:
            self._watch_reader()

    def _large_head(self) -> ClientRefused:
        most = f"the head of a request has at most {self._limits.headers} headers and {self._limits.head:,} bytes"
        return ClientRefused(HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE, most)

    def _large_body(self) -> ClientRefused:
        return ClientRefused(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, f"a body has at most {self._limits.body:,} bytes")


def _answer(refusal: ClientRefused) -> bytes:
    body = json.dumps({"error": f"{refusal}"}).encode()
    head = (
        f"HTTP/1.1 {refusal.status.value} {refusal.status.phrase}\r\ncontent-type: application/json\r\n"
        f"cache-control: no-store\r\ncontent-length: {len(body)}\r\nconnection: close\r\n\r\n"
    )
    return head.encode() + body


def complete_requests(app: ASGIApp) -> ASGIApp:
    """Calls the app once the body has arrived, which it then receives in one piece; `Connection` limits it."""

    async def complete(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await app(scope, receive, send)
            return
        parts, more = [], True
        while more:
            message = await receive()
            if message["type"] == "http.disconnect":
                return
            parts.append(message.get("body", b""))
            more = message.get("more_body", False)
        whole: list[Message] = [{"type": "http.request", "body": b"".join(parts), "more_body": False}]

        async def received() -> Message:
            return whole.pop() if whole else await receive()

        with suppress(asyncio.CancelledError):  # the server stops, and the client is gone
            await app(scope, received, send)

    return complete
