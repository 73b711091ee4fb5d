"""Answers of a server: one JSON body each, never cached. A refusal is one of them."""

from collections.abc import Mapping
from typing import Any

import orjson
from starlette.types import Receive, Scope, Send


class RequestRefused(Exception):
    """Becomes the answer: its status, and `{"error": message}`. Nothing has changed."""

    def __init__(self, status: int, message: str, **headers: str) -> None:
        super().__init__(message)
        self.status = status
        self.headers = {name.replace("_", "-"): value for name, value in headers.items()}


def malformed(message: str) -> RequestRefused:
    return RequestRefused(400, message)


def header(scope: Scope, name: bytes) -> str | None:
    """The first of that name, in small letters."""
    return next((value.decode("latin-1") for key, value in scope["headers"] if key == name), None)


async def read_body(receive: Receive) -> bytes:
    """The server passes requests on once their body is complete, and within its limits."""
    body: bytes = (await receive()).get("body", b"")
    return body


async def answer(send: Send, content: Any, status: int = 200, headers: Mapping[str, str] | None = None) -> None:
    await begin_answer(send, content, status, headers)
    await send({"type": "http.response.body"})


async def begin_answer(send: Send, content: Any, status: int, headers: Mapping[str, str] | None) -> None:
    """All of an answer but its end, which the client need not wait for."""
    body = orjson.dumps(content)
    sent = [
        (b"content-type", b"application/json"),
        (b"cache-control", b"no-store"),
        (b"content-length", b"%d" % len(body)),
    ]
    sent += [(name.lower().encode(), value.encode()) for name, value in (headers or {}).items()]
    await send({"type": "http.response.start", "status": status, "headers": sent})
    await send({"type": "http.response.body", "body": body, "more_body": True})
