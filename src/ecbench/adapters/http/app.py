"""The requests that a host answers: `ROUTES` lists them all, for the host and for its OpenAPI document.

Plain ASGI: a web framework takes longer to dispatch a request than the simulation takes for a turn.
"""

import logging
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from inspect import isawaitable

from msgspec import json
from starlette.types import ASGIApp, Receive, Scope, Send

from ecbench import __version__
from ecbench.adapters.hosted_year import HostedYear
from ecbench.adapters.http.bodies import KEY_PATTERN, TurnBody, read_object, read_turn
from ecbench.adapters.instructions import describe, detail
from ecbench.adapters.serving.asgi import RequestRefused, answer, header, malformed, read_body
from ecbench.adapters.session_keys import bearer
from ecbench.errors import RunError
from ecbench.gate import TurnRefused
from ecbench.players.turn import Record, shortened
from ecbench.runs.play.external_seats import GAVE_UP
from ecbench.runs.play.external_sessions import Answered, YearOver

HEALTH = "/health"  # needs no token

log = logging.getLogger(__name__)

AddYear = Callable[[HostedYear], Awaitable[Record]]
"""Opens a further year for the client of this one, and returns its token and number."""


@dataclass(frozen=True, slots=True)
class HostRequest:
    """A request with a valid token, the year that the token opens, and its Idempotency-Key."""

    year: HostedYear
    add: AddYear
    body: bytes
    key: str | None


def session(request: HostRequest) -> Record:
    year = request.year
    return describe(year.terms, year.world, year.episode, year.seat)


async def actions(request: HostRequest) -> Record:
    turn = read_turn(request.body, request.key)
    try:
        return _turn_answer(await request.year.take(turn), turn.calls)
    except YearOver as over:
        raise RequestRefused(409, "the year is over; GET /v1/result has its result") from over
    except TurnRefused as refusal:
        raise malformed(f"{refusal}") from refusal


async def finish(request: HostRequest) -> Record:
    read_object(request.body)
    return await request.year.finish()


async def result(request: HostRequest) -> Record:
    found = await request.year.result()
    if found is None:
        raise RequestRefused(409, "the year is not over yet; go on with it, or POST /v1/finish")
    return found


async def sessions(request: HostRequest) -> Record:
    read_object(request.body)
    return await request.add(request.year)


@dataclass(frozen=True, slots=True)
class HostRoute:
    """The handler of an address, its method, the fields of its answer, and its status."""

    method: str
    handle: Callable[[HostRequest], Record | Awaitable[Record]]
    summary: str
    fields: tuple[str, ...] = ()
    status: int = 200


RESULT = (
    *("termination_reason", "termination_detail", "reward_meta", "env_completed", "env_terminated", "final_state"),
    *("books", "turns"),
)
SESSION = ("messages", "tools", "allow_parallel_tool_calls", "max_turns", "config")
TURN = ("tool_responses", "turn", "done", "termination_reason", "termination_detail")
ROUTES: Mapping[str, HostRoute] = {
    "/openapi.json": HostRoute("GET", lambda _: document(), "This document"),
    "/v1/session": HostRoute("GET", session, "The job, the tools, the terms", SESSION),
    "/v1/actions": HostRoute("POST", actions, "Take a turn", TURN),
    "/v1/finish": HostRoute("POST", finish, "End the year now", RESULT),
    "/v1/result": HostRoute("GET", result, "How the year ended", RESULT),
    "/v1/sessions": HostRoute("POST", sessions, "One more year, and its token", ("token", "run_index"), 201),
}
TURN_BODY = json.schema_components([TurnBody])[1]["TurnBody"]
IDEMPOTENCY_KEY = {
    "name": "Idempotency-Key",
    "in": "header",
    "schema": {"type": "string", "pattern": f"^{KEY_PATTERN}$"},
    "description": "A turn that is sent twice under one key runs once.",
}


def host_app(year_of: Callable[[str], HostedYear], add: AddYear) -> ASGIApp:
    """`year_of` finds the year that a token opens, and raises RequestRefused."""

    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["path"] == HEALTH:
            served(scope, "GET")
            await answer(send, {"status": "ok"})
            return
        year = year_of(bearer(header(scope, b"authorization")))
        route = ROUTES.get(scope["path"])
        served(scope, route.method if route else None)
        assert route is not None, "or it would have been refused"
        try:
            body, key = await read_body(receive), header(scope, b"idempotency-key")
            handled = route.handle(HostRequest(year, add, body, key))
            content = await handled if isawaitable(handled) else handled
        except RunError as problem:
            message = "the host cannot write the record of this year at the moment; send the request again"
            raise RequestRefused(503, message) from problem
        except RequestRefused:
            raise
        except Exception as problem:
            log.exception("%s %s failed", scope["method"], scope["path"])
            raise RequestRefused(500, "the host failed; the record is whole, send the request again") from problem
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


def _turn_answer(answered: Answered, calls: Sequence[Record]) -> Record:
    """A call of the request that has no id gets one of its turn and its index."""
    end = answered.end
    ended = end if end is not None and end.ending != GAVE_UP else None
    return {
        "tool_responses": [
            {"tool_call_id": call.get("id", f"call_{answered.number}_{index}"), "content": shortened(outcome.text)}
            for index, (call, outcome) in enumerate(zip(calls, answered.turn.outcomes, strict=True))
        ],
        "turn": answered.number,
        "done": ended is not None,
        "termination_reason": ended.ending if ended else None,
        "termination_detail": detail(ended) if ended else None,
    }


def document() -> Record:
    """The requests and answers as an OpenAPI document."""
    refused = _answered("A refusal, with its message in `error`", ("error",))
    paths: Record = {HEALTH: {"get": {"summary": "Whether the host is there", "security": []}}}
    paths[HEALTH]["get"]["responses"] = {"200": _answered("Done", ("status",)), "default": refused}
    for path, route in ROUTES.items():
        answers = {str(route.status): _answered("Done", route.fields), "default": refused}
        operation: Record = {"summary": route.summary, "responses": answers}
        if route.method == "POST":
            turn = route.handle is actions
            body = TURN_BODY if turn else {"type": "object"}
            operation["requestBody"] = {"required": turn, "content": {"application/json": {"schema": body}}}
            operation["parameters"] = [IDEMPOTENCY_KEY] if turn else []
        paths[path] = {route.method.lower(): operation}
    about = "A simulated year of an online business, played turn by turn."
    return {
        "openapi": "3.1.0",
        "info": {"title": "E-Commerce Bench", "version": __version__, "description": about},
        "paths": paths,
        "security": [{"token": []}],
        "components": {"securitySchemes": {"token": {"type": "http", "scheme": "bearer"}}},
    }


def _answered(description: str, fields: Sequence[str]) -> Record:
    """An answer with these fields."""
    schema = {"type": "object", "required": list(fields)}
    return {"description": description, "content": {"application/json": {"schema": schema}}}
