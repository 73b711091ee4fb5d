"""The requests that a host answers: `ROUTES` is the whole of it.

Plain ASGI: to simulate a turn takes less time than a web framework does to hand it over.
"""

import logging
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass

from starlette.types import ASGIApp, Receive, Scope, Send

from ecbench.adapters.bearer_tokens import bearer
from ecbench.adapters.http.asgi import answer, header, read_body
from ecbench.adapters.http.errors import RequestRefusal
from ecbench.adapters.http.openapi import document
from ecbench.adapters.http.sessions import HostedYear, Hosting
from ecbench.adapters.http.turn_request import read_object, read_turn
from ecbench.players.turn import Record

OPEN_TO_ALL = "/health"

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Asked:
    """A request of somebody who has a token, and the year that it stands for."""

    scope: Scope
    receive: Receive
    years: Hosting
    year: HostedYear


async def openapi(_: Asked) -> Record:
    return document()


async def session(asked: Asked) -> Record:
    return asked.year.session()


async def actions(asked: Asked) -> Record:
    turn = read_turn(await read_body(asked.receive), header(asked.scope, b"idempotency-key"))
    return await asked.year.act(turn)


async def finish(asked: Asked) -> Record:
    read_object(await read_body(asked.receive))
    return await asked.year.finish()


async def result(asked: Asked) -> Record:
    return await asked.year.result()


async def sessions(asked: Asked) -> Record:
    read_object(await read_body(asked.receive))
    return await asked.years.add(asked.year)


@dataclass(frozen=True, slots=True)
class HostRoute:
    """What is answered at an address, to one method, and with which status."""

    method: str
    handle: Callable[[Asked], Awaitable[Record]]
    status: int = 200


ROUTES: Mapping[str, HostRoute] = {
    "/openapi.json": HostRoute("GET", openapi),
    "/v1/session": HostRoute("GET", session),
    "/v1/actions": HostRoute("POST", actions),
    "/v1/finish": HostRoute("POST", finish),
    "/v1/result": HostRoute("GET", result),
    "/v1/sessions": HostRoute("POST", sessions, status=201),
}


def host_app(years: Hosting) -> ASGIApp:
    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        try:
            if scope["path"] == OPEN_TO_ALL:
                served(scope, "GET")
                await answer(send, {"status": "ok"})
                return
            year = years.admit(bearer(header(scope, b"authorization")))
            route = ROUTES.get(scope["path"])
            served(scope, route.method if route else None)
            assert route is not None, "or it would have been refused"
            content = await route.handle(Asked(scope, receive, years, year))
        except RequestRefusal as refusal:
            await answer(send, {"error": refusal.message}, refusal.status, refusal.headers)
        except Exception:
            log.exception("%s %s failed", scope["method"], scope["path"])
            await answer(send, {"error": "the host failed; the record of the year is whole, ask again"}, 500)
        else:
            await answer(send, content, route.status)

    return app


def served(scope: Scope, method: str | None) -> None:
    """Refuse an address that is not there, or not for this method; who may GET may ask for the HEAD alone."""
    asked = scope["method"]
    if method == ("GET" if asked == "HEAD" else asked):
        return
    told = f"{asked} {scope['path']} is not served here; GET /openapi.json tells what is"
    if method is None:
        raise RequestRefusal(404, told)
    raise RequestRefusal(405, told, Allow="GET, HEAD" if method == "GET" else method)
