"""The requests that a board answers: `routes` is the whole of it."""

import asyncio
import html
import json
import re
import time
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote

import anyio
import msgspec
from anyio import to_thread
from starlette.applications import Starlette
from starlette.convertors import IntegerConvertor, register_url_convertor
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.middleware.gzip import GZipMiddleware
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, Response, StreamingResponse
from starlette.routing import Route

from ecbench.adapters.rate_limit import Clock
from ecbench.adapters.serving.asgi import RequestRefused
from ecbench.agent_text import parse_json
from ecbench.errors import NoSuchYear, RunError
from ecbench.pages.board.server.access import PageGuard
from ecbench.pages.board.server.actions import Desk
from ecbench.pages.board.server.page_files import asset_routes, page
from ecbench.pages.board.server.queries import HIDDEN_VIEWS, VIEWS
from ecbench.pages.board.server.subprocesses import report_page
from ecbench.pages.report.templates_env import board_part
from ecbench.redaction import redacted

LONGEST_NUMBER = 9  # digits
COMPRESSED_FROM = 1_000  # bytes
LIVE_SECONDS = 0.5  # between two looks at a year that is being played
POLICY = re.compile(r'<meta http-equiv="Content-Security-Policy" content="([^"]*)">')
SCREENS = ("", "/today", "/market", "/goods", "/suppliers", "/stores", "/warehouse", "/money")
ASKED_FOR_TRUTH = "x-ecbench-truth"


@dataclass(frozen=True, slots=True)
class Settings:
    hosts: tuple[str, ...]
    token: str | None
    mark: str
    clock: Clock = time.monotonic


class CountConvertor(IntegerConvertor):
    """A number in an address, which is not found where it has more digits than any that is served."""

    regex = f"[0-9]{{1,{LONGEST_NUMBER}}}"


register_url_convertor("count", CountConvertor())


class Encoded(Response):
    media_type = "application/json"

    def render(self, content: Any) -> bytes:
        try:
            text = msgspec.json.encode(content).decode()
        except (TypeError, ValueError, UnicodeEncodeError):  # text of an agent that UTF-8 cannot encode
            text = json.dumps(msgspec.to_builtins(content))
        return redacted(text).encode()


def board_app(desk: Desk, settings: Settings) -> Starlette:
    async def run_problem(_: Request, problem: Exception) -> Response:
        status = 404 if isinstance(problem, NoSuchYear) else 409
        return JSONResponse({"error": desk.without_paths(str(problem))}, status)

    async def home(request: Request) -> Response:
        found = await to_thread.run_sync(desk.home)
        return page("home", settings.mark, board_part("home", **found, code=request.query_params.get("code", "")))

    async def year(_: Request) -> Response:
        return page("year", settings.mark, board_part("year"))

    return Starlette(
        routes=[
            Route("/", home),
            *(Route(f"/runs/{{run}}/{{episode:count}}{screen}", year) for screen in SCREENS),
            *file_routes(desk),
            *asset_routes(),
            *api_routes(desk),
        ],
        middleware=[
            Middleware(PageGuard, hosts=settings.hosts, token=settings.token, mark=settings.mark, clock=settings.clock),
            Middleware(GZipMiddleware, minimum_size=COMPRESSED_FROM, compresslevel=6),
        ],
        exception_handlers={
            RequestRefused: _refused,
            RunError: run_problem,
            KeyError: _unknown,
            HTTPException: _not_served,
        },
    )


def api_routes(desk: Desk) -> list[Route]:
    """JSON in, JSON out; years are read and played in threads beside the event loop."""
    queries = desk.queries
    year = "/api/runs/{run}/{episode:count}"
    at = year + "/turns/{turn:count}"

    def limited(path: str, look: Callable[..., Any]) -> Route:
        """Refused where a year that is being played on the same world forbids it."""

        def allowed(run: str, episode: int, **moment: Any) -> Any:
            queries.sight(run, episode).refuse_hidden()
            return look(run=run, episode=episode, **moment)

        return overview(year + path, allowed)

    def hidden(path: str, look: Callable[..., Any]) -> Route:
        return on_request(limited(f"/truth/{path}", look))

    def view(path: str, look: Callable[..., Any], *, hidden: bool = False) -> Route:
        def shown(run: str, episode: int, turn: int, **names: Any) -> Any:
            return look(queries.moment(run, episode, turn, hidden=hidden), **names)

        return overview(at + path, shown)

    def change(path: str, do: Callable[..., Any]) -> Route:
        async def answer(request: Request) -> Response:
            body = _object(await request.body())
            return Encoded(await to_thread.run_sync(lambda: do(**request.path_params, asked=body)))

        return Route(path, answer, methods=["POST"])

    async def live(request: Request) -> Response:
        await to_thread.run_sync(lambda: queries.sight(**request.path_params))  # or there is no such year
        stream = _growing(desk, **request.path_params)
        return StreamingResponse(stream, media_type="text/event-stream")

    return [
        overview("/api/home", desk.home),
        change("/api/runs", desk.start),
        change("/api/play", desk.sit_down),
        overview(year, queries.timeline),
        Route(year + "/live", live),
        change(year + "/branch", desk.branch),
        change(year + "/act", desk.act),
        change(year + "/finish", desk.finish),
        limited("/end", queries.year_end),
        limited("/end/skill", queries.year_end_with_skill),
        hidden("deals", queries.deals),
        hidden("losses", queries.losses),
        hidden("marks", queries.marks),
        hidden("review", desk.reviews.state),
        change(year + "/review", desk.review),
        *(view(path, look) for path, look in VIEWS.items()),
        *(on_request(view(path, look, hidden=True)) for path, look in HIDDEN_VIEWS.items()),
    ]


def overview(path: str, look: Callable[..., Any]) -> Route:
    """What of any year may be shown: the look itself stops at the last day that may be."""

    async def answer(request: Request) -> Response:
        return Encoded(await to_thread.run_sync(lambda: look(**request.path_params)))

    return Route(path, answer)


def on_request(route: Route) -> Route:
    """Hidden truth, which a page must ask for by a header."""

    async def answer(request: Request) -> Response:
        if request.headers.get(ASKED_FOR_TRUTH) != "shown":
            raise RequestRefused(403, "hidden truth is only sent where it is asked for")
        answered: Response = await route.endpoint(request)
        return answered

    return Route(route.path, answer)


def file_routes(desk: Desk) -> list[Route]:
    """Whole files: a page on a run, and the proof of it."""

    one_at_a_time = asyncio.Lock()

    async def report(request: Request) -> Response:
        folder = await to_thread.run_sync(desk.queries.reported, request.path_params["run"])

        async with one_at_a_time:
            page = await report_page(folder)
        policy = POLICY.search(page)
        assert policy is not None, "a report states what it may load"
        allowed = f"{html.unescape(policy[1])}; frame-ancestors 'none'"
        return HTMLResponse(page, headers={"Content-Security-Policy": allowed})

    async def proof(request: Request) -> Response:
        name, content = await to_thread.run_sync(desk.queries.proof, request.path_params["run"])
        quoted = quote(name)
        headers = {"Content-Disposition": f"attachment; filename*=UTF-8''{quoted}"}
        return Response(content, headers=headers, media_type="application/zip")

    return [
        Route("/runs/{run}/report", report),
        Route("/runs/{run}/proof", proof),
    ]


async def _growing(desk: Desk, run: str, episode: int) -> AsyncIterator[bytes]:
    """How far a year has come, whenever it has come further; the last line says that it is over."""
    sent = -1
    while True:
        progress = await to_thread.run_sync(desk.queries.progress, run, episode)
        if progress["turns"] != sent or progress["ending"] is not None:
            sent = progress["turns"]
            yield b"data: " + msgspec.json.encode(progress) + b"\n\n"
        if progress["ending"] is not None:
            return
        await anyio.sleep(LIVE_SECONDS)


def _object(body: bytes) -> dict[str, Any]:
    try:
        asked = parse_json(body)
    except ValueError as problem:
        raise RequestRefused(400, "the body is not JSON") from problem
    if not isinstance(asked, dict):
        raise RequestRefused(400, "the body is not a JSON object")
    return asked


def _refused(_: Request, problem: Exception) -> Response:
    assert isinstance(problem, RequestRefused)
    return JSONResponse({"error": str(problem)}, problem.status)


def _unknown(_: Request, problem: Exception) -> Response:
    del problem
    return JSONResponse({"error": "there is no such run, year, turn or supplier"}, 404)


def _not_served(_: Request, problem: Exception) -> Response:
    assert isinstance(problem, HTTPException)
    return JSONResponse({"error": problem.detail}, problem.status_code)
