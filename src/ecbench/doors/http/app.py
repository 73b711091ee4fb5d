"""The requests that a host answers: `routes` is the whole of it."""

import json
from typing import Any

import orjson
from anyio import fail_after
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp, Receive, Scope, Send

from ecbench.doors.http.openapi import document
from ecbench.doors.http.refusals import RequestRefusal
from ecbench.doors.http.turns import read_object, read_turn
from ecbench.doors.http.years import HostedYear, Hosting
from ecbench.doors.tokens import bearer

LARGEST_BODY = 1 << 20  # bytes
HEARD_OUT = 8 << 20
BODY_SECONDS = 30.0  # for a body to arrive
OPEN_TO_ALL = "/health"


class JsonAnswer(JSONResponse):
    """JSON that nobody on the way may keep."""

    def __init__(self, content: Any, status_code: int = 200, headers: dict[str, str] | None = None) -> None:
        super().__init__(content, status_code, {"Cache-Control": "no-store", **(headers or {})})

    def render(self, content: Any) -> bytes:
        try:
            return orjson.dumps(content)
        except TypeError:  # half of a surrogate pair, which an agent may well send as an id
            return json.dumps(content).encode()


def host_app(years: Hosting) -> Starlette:
    async def health(_: Request) -> Response:
        return JsonAnswer({"status": "ok"})

    async def openapi(_: Request) -> Response:
        return JsonAnswer(document())

    async def session(request: Request) -> Response:
        return JsonAnswer(_year(request).session())

    async def actions(request: Request) -> Response:
        turn = read_turn(await _body(request), request.headers.get("Idempotency-Key"))
        return JsonAnswer(await _year(request).act(turn))

    async def finish(request: Request) -> Response:
        read_object(await _body(request))
        return JsonAnswer(await _year(request).finish())

    async def result(request: Request) -> Response:
        return JsonAnswer(await _year(request).result())

    async def sessions(request: Request) -> Response:
        read_object(await _body(request))
        return JsonAnswer(await years.add(_year(request)), 201)

    routes = [
        Route("/health", health),
        Route("/openapi.json", openapi),
        Route("/v1/session", session),
        Route("/v1/actions", actions, methods=["POST"]),
        Route("/v1/finish", finish, methods=["POST"]),
        Route("/v1/result", result),
        Route("/v1/sessions", sessions, methods=["POST"]),
    ]
    return Starlette(
        routes=routes,
        middleware=[Middleware(HostGuard, years=years)],
        exception_handlers={RequestRefusal: _refused, HTTPException: _not_served, Exception: _failed},
    )


class HostGuard:
    """Lets in who has a token, and knows by it which year is meant."""

    def __init__(self, app: ASGIApp, years: Hosting) -> None:
        self._app = app
        self._years = years

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http" and scope["path"] != OPEN_TO_ALL:
            request = Request(scope)
            try:
                request.state.year = self._years.admit(bearer(request.headers.get("Authorization")))
            except RequestRefusal as refusal:
                await _refused(request, refusal)(scope, receive, send)
                return
        await self._app(scope, receive, send)


def _year(request: Request) -> HostedYear:
    year: HostedYear = request.state.year
    return year


async def _body(request: Request) -> bytes:
    """At most a mebibyte, whatever its headers say, and not for ever.

    Somewhat more is read and thrown away: a client that is still sending would not hear why it is refused.
    """
    body, length = b"", 0
    try:
        with fail_after(BODY_SECONDS):
            async for part in request.stream():
                length += len(part)
                body = body + part if length <= LARGEST_BODY else b""
                if length > HEARD_OUT:
                    break
    except (TimeoutError, ClientDisconnect) as problem:
        told = f"the body did not arrive within {BODY_SECONDS:.0f} seconds"
        raise RequestRefusal(408, told, Connection="close") from problem
    if length > LARGEST_BODY:
        raise RequestRefusal(413, f"a body has at most {LARGEST_BODY:,} bytes", Connection="close")
    return body


def _refused(_: Request, refusal: Exception) -> Response:
    assert isinstance(refusal, RequestRefusal)
    return JsonAnswer({"error": refusal.message}, refusal.status, refusal.headers)


def _not_served(request: Request, problem: Exception) -> Response:
    """An address that is not there, or not for this method."""
    assert isinstance(problem, HTTPException)
    told = f"{request.method} {request.url.path} is not served here; GET /openapi.json tells what is"
    return JsonAnswer({"error": told}, problem.status_code, dict(problem.headers or {}))


def _failed(_: Request, problem: Exception) -> Response:
    del problem  # which the log has in full
    return JsonAnswer({"error": "the host failed; the record of the year is whole, ask again"}, 500)
