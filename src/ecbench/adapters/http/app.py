"""The requests that a host answers: `ROUTES` lists them all.

Plain ASGI: a web framework takes longer to dispatch a request than the simulation takes for a turn.
"""

import logging
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from inspect import isawaitable

from starlette.types import ASGIApp, Receive, Scope, Send

from ecbench.adapters.bearer_tokens import bearer
from ecbench.adapters.http.openapi import document
from ecbench.adapters.http.sessions import HostedYear, HostedYears
from ecbench.adapters.http.turn_request import read_object, read_turn
from ecbench.adapters.serving.asgi import RequestRefused, answer, header, read_body
from ecbench.players.turn import Record

HEALTH = "/health"  # needs no token

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class HostRequest:
    """A request with a valid token, and the year that the token opens."""

    scope: Scope
    receive: Receive
    years: HostedYears
    year: HostedYear


async def actions(request: HostRequest) -> Record:
    turn = read_turn(await read_body(request.receive), header(request.scope, b"idempotency-key"))
    return await request.year.act(turn)


async def finish(request: HostRequest) -> Record:
    read_object(await read_body(request.receive))
    return await request.year.finish()


async def sessions(request: HostRequest) -> Record:
    read_object(await read_body(request.receive))
    return await request.years.add(request.year)


@dataclass(frozen=True, slots=True)
class HostRoute:
    """The handler of an address, its method, and the status of its answer."""

    method: str
    handle: Callable[[HostRequest], Record | Awaitable[Record]]
    status: int = 200


ROUTES: Mapping[str, HostRoute] = {
    "/openapi.json": HostRoute("GET", lambda _: document()),
    "/v1/session": HostRoute("GET", lambda request: request.year.describe()),
    "/v1/actions": HostRoute("POST", actions),
    "/v1/finish": HostRoute("POST", finish),
    "/v1/result": HostRoute("GET", lambda request: request.year.result()),
    "/v1/sessions": HostRoute("POST", sessions, status=201),
}


def host_app(years: HostedYears) -> ASGIApp:
    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        try:
            if scope["path"] == HEALTH:
                served(scope, "GET")
                await answer(send, {"status": "ok"})
                return
            year = years.year_of(bearer(header(scope, b"authorization")))
            route = ROUTES.get(scope["path"])
            served(scope, route.method if route else None)
            assert route is not None, "or it would have been refused"
            handled = route.handle(HostRequest(scope, receive, years, year))
            content = await handled if isawaitable(handled) else handled
        except RequestRefused as refusal:
            await answer(send, {"error": f"{refusal}"}, refusal.status, refusal.headers)
        except Exception:
            log.exception("%s %s failed", scope["method"], scope["path"])
            await answer(send, {"error": "the host failed; the record is whole, send the request again"}, 500)
        else:
            await answer(send, content, route.status)

    return app


def served(scope: Scope, method: str | None) -> None:
    """Refuse an unknown address, and a method that it does not have. An address with GET has HEAD, too."""
    used = scope["method"]
    if method == ("GET" if used == "HEAD" else used):
        return
    message = f"{used} {scope['path']} is not served here; GET /openapi.json lists what is"
    if method is None:
        raise RequestRefused(404, message)
    raise RequestRefused(405, message, Allow="GET, HEAD" if method == "GET" else method)
