"""Every request that an app answers, from its own routes, and everything that it sends back."""

import io
import json
import zipfile
from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from typing import Any, NamedTuple
from urllib.parse import quote

from starlette.applications import Starlette
from starlette.routing import Route
from starlette.testclient import TestClient

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
    neither the parameters nor the bodies are known. Streams stay open, and are left to the caller."""
    board, visits = TestClient(app, follow_redirects=False), []
    for route in app.routes:
        for method, path, body in _requests(route, choices, bodies):
            answer = board.request(method, path, json=body, headers=dict(headers))
            content_type = answer.headers.get("content-type", "")
            visits.append(Visit(f"{method} {path}", answer.status_code, _readable(content_type, answer.content)))
    return visits


def _requests(
    route: Any, choices: Mapping[str, Sequence[Any]], bodies: Mapping[str, Sequence[Json]]
) -> Iterator[tuple[str, str, Json | None]]:
    assert isinstance(route, Route)
    if route.path.startswith("/static/") or route.path.endswith("/live"):
        return  # files of the package, and streams
    names, method = list(route.param_convertors), "GET" if "GET" in (route.methods or ()) else "POST"
    sent: Sequence[Json | None] = [None] if method == "GET" else bodies[route.path]
    for chosen in product(*(choices[name] for name in names)):
        path = route.path_format.format(**{name: quote(str(value)) for name, value in zip(names, chosen, strict=True)})
        for body in sent:
            yield method, path, body


def _readable(kind: str, content: bytes) -> str:
    if kind.startswith("application/json"):
        return json.dumps(json.loads(content), ensure_ascii=False)
    if kind.startswith("application/zip"):
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            return "\n".join(archive.read(name).decode() for name in archive.namelist())
    return content.decode()
