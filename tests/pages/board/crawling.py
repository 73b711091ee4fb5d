"""Every request that an app answers, from its own routes, and everything that it sends back."""

import io
import json
import zipfile
from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from typing import Any, NamedTuple
from urllib.parse import quote, unquote

import anyio
from starlette.applications import Starlette
from starlette.routing import Route
from starlette.types import Message

Json = dict[str, Any]


class Visit(NamedTuple):
    """One request and its answer, readable: JSON with spaces between its parts, and ZIP files unpacked."""

    request: str
    status: int
    text: str


def crawl(
    app: Starlette,
    choices: Mapping[str, Sequence[Any]],
    bodies: Mapping[str, Sequence[Json]],
    headers: Mapping[str, str],
) -> list[Visit]:
    """GET every route with every choice of its parameters, and POST the bodies. Raises KeyError for a route of which
    neither the parameters nor the bodies are known."""
    return [
        Visit(f"{method} {path}", *anyio.run(_ask, app, method, path, body, headers))
        for route in app.routes
        for method, path, body in _requests(route, choices, bodies)
    ]


def _requests(
    route: Any, choices: Mapping[str, Sequence[Any]], bodies: Mapping[str, Sequence[Json]]
) -> Iterator[tuple[str, str, bytes]]:
    assert isinstance(route, Route)
    if route.path.startswith("/static/"):
        return  # files of the package
    names, method = list(route.param_convertors), "GET" if "GET" in (route.methods or ()) else "POST"
    sent = [b""] if method == "GET" else [json.dumps(body).encode() for body in bodies[route.path]]
    for chosen in product(*(choices[name] for name in names)):
        path = route.path_format.format(**{name: quote(str(value)) for name, value in zip(names, chosen, strict=True)})
        for body in sent:
            yield method, path, body


async def _ask(app: Starlette, method: str, path: str, body: bytes, headers: Mapping[str, str]) -> tuple[int, str]:
    """As a server would ask. Of a stream that stays open it waits for the first line."""
    given = {"content-type": "application/json", "content-length": str(len(body)), **headers}
    status, kind, received, gone = 0, "", bytearray(), anyio.Event()
    waiting = [{"type": "http.request", "body": body}]

    async def receive() -> Message:
        if waiting:
            return waiting.pop()
        await gone.wait()
        return {"type": "http.disconnect"}

    async def send(message: Message) -> None:
        nonlocal status, kind
        if message["type"] == "http.response.start":
            status = message["status"]
            kind = dict(message["headers"]).get(b"content-type", b"").decode()
        else:
            received.extend(message.get("body", b""))
            if kind.startswith("text/event-stream"):
                gone.set()

    scope = {
        "type": "http",
        "asgi": {"version": "3.0", "spec_version": "2.3"},
        "http_version": "1.1",
        "method": method,
        "path": unquote(path),
        "raw_path": path.encode(),
        "query_string": b"",
        "headers": [(name.encode(), value.encode()) for name, value in given.items()],
        "client": ("127.0.0.1", 1),
        "server": ("127.0.0.1", 80),
        "scheme": "http",
    }
    await app(scope, receive, send)
    return status, _readable(kind, bytes(received))


def _readable(kind: str, content: bytes) -> str:
    if kind.startswith("application/json"):
        return json.dumps(json.loads(content), ensure_ascii=False)
    if kind.startswith("application/zip"):
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            return "\n".join(archive.read(name).decode() for name in archive.namelist())
    return content.decode()
