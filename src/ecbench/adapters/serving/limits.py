"""Limits on clients: how many connections there are, how large a request is, and how long it takes to arrive.

`LimitedRequests` passes a request on once its body has arrived. `IdleConnections` closes what uvicorn keeps open:
connections that send no complete head, and those whose client does not read its answer.
"""

import asyncio
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass

from starlette.types import ASGIApp, Message, Receive, Scope, Send
from uvicorn.protocols.http.h11_impl import H11Protocol

from ecbench.adapters.serving.asgi import RequestRefused, answer, begin_answer, header


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
    unfinished: int = 256  # heads that have arrived in part, and as many bodies
    surplus: int = 8 << 20  # read and discarded of a body that is too large, or its client would not see the refusal
    surplus_seconds: float = 2.0
    grace_seconds: int = 3  # after a signal, for requests that are being answered
    stop_seconds: float = 5.0  # after a signal, for everything


class LimitedRequests:
    """Calls the application once a request is complete; a RequestRefused that it raises becomes the answer."""

    def __init__(self, app: ASGIApp, limits: Limits) -> None:
        self.app = app
        self.limits = limits
        self._arriving: dict[asyncio.Timeout, int] = {}  # deadlines of bodies, oldest first, with their bytes so far
        self._answering = 0

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        try:
            body = await self._body(scope, receive)
            if self._answering >= self.limits.connections:
                raise RequestRefused(503, "too many requests are being answered; send it again later")
        except RequestRefused as refusal:
            await self._refuse(refusal, receive, send)
            return
        if body is None:
            return
        whole: list[Message] = [{"type": "http.request", "body": body, "more_body": False}]

        async def received() -> Message:
            return whole.pop() if whole else await receive()

        self._answering += 1
        try:
            with suppress(asyncio.CancelledError):  # the server stops, and the client is gone
                await self.app(scope, received, send)
        except RequestRefused as refusal:
            await answer(send, {"error": f"{refusal}"}, refusal.status, refusal.headers)
        finally:
            self._answering -= 1

    def refuse_arriving(self, most: int = 0, most_bytes: int = 0) -> None:
        """The oldest bodies are refused until this many, with this many bytes, are left to arrive."""
        while len(self._arriving) > most or sum(self._arriving.values()) > most_bytes:
            oldest = next(iter(self._arriving))
            del self._arriving[oldest]
            oldest.reschedule(asyncio.get_running_loop().time())

    async def _body(self, scope: Scope, receive: Receive) -> bytes | None:
        """None if the client has left. Raises RequestRefused."""
        limits, headers = self.limits, scope["headers"]
        head = len(scope["raw_path"]) + len(scope["query_string"]) + sum(len(name + value) for name, value in headers)
        if head > limits.head or len(headers) > limits.headers:
            most = f"at most {limits.headers} headers and {limits.head:,} bytes"
            raise RequestRefused(431, f"the head of a request has {most}")
        too_large = RequestRefused(413, f"a body has at most {limits.body:,} bytes")
        if int(header(scope, b"content-length") or 0) > limits.body:
            raise too_large
        body, more = bytearray(), True
        deadline = asyncio.timeout(limits.body_seconds)
        try:
            async with deadline:
                while more:
                    message = await receive()
                    if message["type"] == "http.disconnect":
                        return None
                    body += message.get("body", b"")
                    more = message.get("more_body", False)
                    if len(body) > limits.body:
                        raise too_large
                    if more:
                        self._arriving[deadline] = len(body)
                        self.refuse_arriving(limits.unfinished, limits.bodies)
        except TimeoutError as late:
            seconds = f"{limits.body_seconds:g} seconds"
            raise RequestRefused(408, f"the body of the request did not arrive within {seconds}") from late
        finally:
            self._arriving.pop(deadline, None)
        return bytes(body)

    async def _refuse(self, refusal: RequestRefused, receive: Receive, send: Send) -> None:
        """Answer, and read on for a while if the body is too large: its client is still sending."""
        await begin_answer(send, {"error": f"{refusal}"}, refusal.status, {"Connection": "close", **refusal.headers})
        surplus, more = 0, refusal.status == 413
        with suppress(TimeoutError):
            async with asyncio.timeout(self.limits.surplus_seconds):
                while more and surplus < self.limits.surplus:
                    message = await receive()
                    more = message.get("more_body", False)
                    surplus += len(message.get("body", b""))
        await send({"type": "http.response.body"})


class IdleConnections:
    """Closes the connections that make no progress, and of too many those that have waited longest for a request."""

    def __init__(self, limits: Limits) -> None:
        self.limits = limits
        self._seen: dict[H11Protocol, tuple[tuple[object, ...], float]] = {}  # their progress, and since when

    def check(self, connections: Iterable[H11Protocol], now: float) -> None:
        """To be called often; `now` is in seconds."""
        earlier, self._seen = self._seen, {}
        late, waiting = [], []
        for each in connections:
            request, unread = each.cycle, each.transport.get_write_buffer_size()
            idle = request is None or request.response_complete  # waits for the head of a request
            progress = request, idle, unread
            before, since = earlier.get(each, (progress, now))
            self._seen[each] = progress, since if progress == before else now
            seconds = now - self._seen[each][1]
            if seconds > self.limits.unread_seconds if unread else idle and seconds > self.limits.head_seconds:
                late.append(each)
            elif idle and not unread:
                waiting.append((-seconds, request is None, each))
        waiting.sort(key=lambda entry: entry[:2])  # the longest wait first
        unfinished = [each for _, unasked, each in waiting if unasked]
        closed = {*late, *unfinished[: max(len(unfinished) - self.limits.unfinished, 0)]}
        surplus = max(len(self._seen) - len(closed) - self.limits.connections, 0)
        closed.update([each for *_, each in waiting if each not in closed][:surplus])
        for each in closed:
            each.transport.abort()
