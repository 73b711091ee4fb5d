"""A request and its answer in ASGI: one JSON body each way, within limits, and never cached."""

import asyncio
import json
from collections.abc import Mapping
from typing import Any

import orjson
from starlette.types import Receive, Scope, Send

from ecbench.adapters.http.errors import RequestRefusal

LARGEST_BODY = 1 << 20  # bytes
MOST_READ = 8 << 20  # bytes of a body that is too large
BODY_SECONDS = 30.0  # for a body to arrive


def header(scope: Scope, name: bytes) -> str | None:
    """The first of that name, in small letters."""
    return next((value.decode("latin-1") for key, value in scope["headers"] if key == name), None)


async def read_body(receive: Receive) -> bytes:
    """At most a mebibyte, whatever its headers say, and within a time limit.

    More is read and discarded up to a limit, since a client that is still sending would not receive the refusal.
    """
    body, length, more = b"", 0, True
    try:
        async with asyncio.timeout(BODY_SECONDS):
            while more and length <= MOST_READ:
                message = await receive()
                if message["type"] == "http.disconnect":
                    raise _not_arrived()
                part = message.get("body", b"")
                length += len(part)
                body = body + part if length <= LARGEST_BODY else b""
                more = message.get("more_body", False)
    except TimeoutError as problem:
        raise _not_arrived() from problem
    if length > LARGEST_BODY:
        raise RequestRefusal(413, f"a body has at most {LARGEST_BODY:,} bytes", Connection="close")
    return body


def _not_arrived() -> RequestRefusal:
    return RequestRefusal(408, f"the body did not arrive within {BODY_SECONDS:.0f} seconds", Connection="close")


async def answer(send: Send, content: Any, status: int = 200, headers: Mapping[str, str] | None = None) -> None:
    body = as_json(content)
    sent = [
        (b"content-type", b"application/json"),
        (b"cache-control", b"no-store"),
        (b"content-length", b"%d" % len(body)),
    ]
    sent += [(name.lower().encode(), value.encode()) for name, value in (headers or {}).items()]
    await send({"type": "http.response.start", "status": status, "headers": sent})
    await send({"type": "http.response.body", "body": body})


def as_json(content: Any) -> bytes:
    try:
        return orjson.dumps(content)
    except TypeError:  # half of a surrogate pair in an id that the agent chose
        return json.dumps(content).encode()
