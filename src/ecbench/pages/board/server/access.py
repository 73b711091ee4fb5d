"""Who is let in: the right host name, the right origin, a token where one was chosen, and a mark on every change."""

import re
import secrets
from collections.abc import Collection
from hmac import compare_digest
from urllib.parse import parse_qs

from starlette.requests import Request
from starlette.responses import JSONResponse, RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from ecbench.adapters.rate_limit import Clock, Rate

COOKIE = "ecbench-board"  # with the port: a browser sends the cookies of a host to all of its ports
MARK = "x-csrf-token"  # a header that other sites' pages cannot send
HEADERS = {
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
        "form-action 'none'; frame-ancestors 'none'; base-uri 'none'"
    ),
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cache-Control": "no-store",
}
HOST = re.compile(r"([a-z0-9._-]+|\[[0-9a-f:.]+\])(:[0-9]{1,5})?")
LOOKS_A_SECOND = 200.0  # scrubbing through a year asks for five a day
CHANGES_A_SECOND = 20.0
BURST_SECONDS = 3.0
MOST_VISITORS = 1_000


class PageGuard:
    """Refuses before anything else sees the request, and puts the security headers on every answer."""

    def __init__(self, app: ASGIApp, hosts: Collection[str], token: str | None, mark: str, clock: Clock) -> None:
        self._app = app
        self._clock = clock
        self._rates: dict[tuple[str, bool], Rate] = {}  # by client, of looks and of changes
        self._hosts = frozenset(host.lower() for host in hosts)
        self._token = token
        self._entered = secrets.token_urlsafe(32)  # what the cookie contains: another server of this host may read it
        self._mark = mark

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        answer = self._refusal(Request(scope))
        await (answer or self._app)(scope, receive, _with_headers(send))

    def _refusal(self, request: Request) -> Response | None:
        if not self._knows(request.headers.get("host", "").lower()):
            return _refusal(421, "this board is not known by that name")
        changes = request.method not in ("GET", "HEAD")
        client = request.client.host if request.client else ""
        if not self._rate(client, changes=changes).allows():
            return _refusal(429, "too many requests at once; wait a moment")
        return self._entry(request) or (self._refused_change(request) if changes else None)

    def _rate(self, client: str, *, changes: bool) -> Rate:
        if len(self._rates) >= MOST_VISITORS:
            self._rates.clear()
        per_second = CHANGES_A_SECOND if changes else LOOKS_A_SECOND
        return self._rates.setdefault((client, changes), Rate(per_second, self._clock, BURST_SECONDS))

    def _refused_change(self, request: Request) -> Response | None:
        origin, mark = request.headers.get("origin"), request.headers.get(MARK, "")
        if origin is not None and origin.lower().partition("://")[2] != request.headers["host"].lower():
            return _refusal(403, "another site may not change anything here")
        if not compare_digest(mark.encode(), self._mark.encode()):
            return _refusal(403, "the page is out of date; load it again")
        if request.headers.get("content-type", "").split(";")[0] != "application/json":
            return _refusal(415, "send JSON")
        return None

    def _entry(self, request: Request) -> Response | None:
        """Where a token was chosen, the address with it sets a cookie, and the cookie lets in."""
        cookie = f"{COOKIE}-{request.scope['server'][1]}"
        if self._token is None or compare_digest(request.cookies.get(cookie, "").encode(), self._entered.encode()):
            return None
        given = parse_qs(request.scope["query_string"].decode("latin-1")).get("token", [""])[0]
        if request.method == "GET" and compare_digest(given.encode(), self._token.encode()):
            answer = RedirectResponse("/" + request.scope["path"].lstrip("/"), 303)  # "//name" is another site
            answer.set_cookie(cookie, self._entered, httponly=True, samesite="strict")
            return answer
        return _refusal(401, "this board needs its token: open the address that was printed when it started")

    def _knows(self, host: str) -> bool:
        """With a token, any name or address of this machine: a page of another site has no cookie for it."""
        return host in self._hosts or (self._token is not None and HOST.fullmatch(host) is not None)


def _refusal(status: int, message: str) -> Response:
    return JSONResponse({"error": message}, status)


def _with_headers(send: Send) -> Send:
    async def sending(message: Message) -> None:
        if message["type"] == "http.response.start":
            given = {name.lower() for name, _ in message["headers"]}  # a report has a policy of its own, as strict
            ours = [(name.lower().encode(), value.encode()) for name, value in HEADERS.items()]
            message["headers"] = [*message["headers"], *(pair for pair in ours if pair[0] not in given)]
        await send(message)

    return sending
