"""An arena with seats for the outside: its address, who is told which token, and what is served until it is over."""

import json
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from threading import Event, Thread
from time import monotonic, sleep
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

import typer

from ecbench.cli.host import USUAL_PORT
from ecbench.cli.plain_text import say
from ecbench.ranges import PORT

if TYPE_CHECKING:
    from socket import socket

    from starlette.types import ASGIApp

    from ecbench.doors.arena.http_seats import HttpSeats
    from ecbench.doors.arena.tokens import SeatKeys
    from ecbench.runs.arena.folder import ArenaRun
    from ecbench.runs.arena.open_seats import OpenSeats
    from ecbench.runs.stopping import StopFlag

REQUESTS_A_SECOND = 100
LAST_SECONDS = 10.0  # for agents to ask how their last year ended
LOOK_SECONDS = 0.05
CLOSING_SECONDS = 3  # for answers that are under way

SeatPortOption = Annotated[
    int,
    typer.Option(
        "--port", metavar="N", min=PORT.least, max=PORT.most, help="Where seats for the outside are served; 0: any."
    ),
]
SeatBindOption = Annotated[
    str,
    typer.Option("--bind", metavar="ADDRESS", help="The address of those seats; beyond this machine only with tokens."),
]
SeatTokenOption = Annotated[
    list[str] | None,
    typer.Option(
        "--token",
        metavar="T",
        envvar="ECBENCH_TOKEN",
        help="What a client of such a seat shows; once for each of them, in their order (in the variable with spaces "
        "between). [default: random ones, printed]",
    ),
]


class Outside(NamedTuple):
    """Where seats for the outside are served."""

    port: int = USUAL_PORT
    bind: str = "127.0.0.1"
    tokens: Sequence[str] = ()


def refuse_tokens(agents: Sequence[str], tokens: Sequence[str]) -> None:
    """Raises RunError unless there are as many as seats for them, or none."""
    from ecbench.runs.arena.seat_names import door_of
    from ecbench.runs.problems import RunError

    seats = sum(bool(door_of(agent)) for agent in agents)
    if tokens and seats and len(set(tokens)) != seats:
        raise RunError(f"--token: {len(set(tokens))} different ones for {seats} seats that are played from outside")


@contextmanager
def served(run: "ArenaRun", outside: Outside, stop: "StopFlag", *, as_json: bool) -> "Iterator[OpenSeats]":
    """Meanwhile the seats for the outside are served, and shortly after, until everybody knows how it ended."""
    from ecbench.runs.arena.open_seats import open_seats_of

    places = open_seats_of(run)
    if not places:
        yield places
        return
    from ecbench.cli.extras import needing

    refuse_tokens(run.terms.agents, outside.tokens)
    with needing("serve", "anyio", "starlette", "uvicorn"):
        from ecbench.doors.http.keys import Keys
        from ecbench.doors.http.serving import listen

    with ExitStack() as held:
        listening = held.enter_context(listen(outside.bind, outside.port, trusted=bool(outside.tokens)))
        keys = held.enter_context(Keys(run.folder))
        app, http, lines = _prepared(run, places, keys, listening, outside.tokens)
        with _serving(app, listening):
            for line in lines:
                say(json.dumps(line), err=as_json)
            yield places
            _linger(http, stop)


def _prepared(
    run: "ArenaRun", places: "OpenSeats", keys: Any, listening: "socket", tokens: Sequence[str]
) -> "tuple[ASGIApp, HttpSeats, list[dict[str, Any]]]":
    from ecbench.cli.extras import needing
    from ecbench.doors.arena.app import arena_app
    from ecbench.doors.arena.http_seats import HttpSeats
    from ecbench.doors.arena.tokens import SeatKeys
    from ecbench.doors.http.app import host_app
    from ecbench.worlds import load_world

    seat_keys, mcp = SeatKeys(run, keys), None
    run.seat_runs(0, load_world(run.terms.world_of(0)))  # for clients that ask before the round begins
    http = HttpSeats(run, seat_keys, places, REQUESTS_A_SECOND)
    if seat_keys.entries("mcp"):
        with needing("mcp", "anyio", "mcp", "mcp_types", "starlette", "uvicorn"):
            from ecbench.doors.arena.mcp_seats import McpSeats
        mcp = McpSeats(run, seat_keys, places, listening.getsockname()[0], REQUESTS_A_SECOND)
    return arena_app(host_app(http), mcp), http, _ready_lines(run, seat_keys, listening, tokens)


def _ready_lines(run: "ArenaRun", keys: "SeatKeys", listening: "socket", tokens: Sequence[str]) -> list[dict[str, Any]]:
    """For each seat its address and its token; over MCP one for each round, where a client cannot ask for the next."""
    from ecbench.doors.arena.app import OF_MCP
    from ecbench.doors.arena.tokens import SeatKey
    from ecbench.doors.http.serving import base_url
    from ecbench.runs.arena.seat_names import door_of

    lines, given = [], iter(tokens)
    for entry, agent in enumerate(run.terms.agents):
        door = door_of(agent)
        for number in range(run.terms.rounds if door == "mcp" else bool(door)):
            key, own = SeatKey(number, entry), next(given, None) if number == 0 else None
            if own is not None:
                keys.accept(own, key)
            lines.append(
                {
                    "status": "ready",
                    "seat": run.terms.labels[entry],
                    "round": number,
                    "base_url": base_url(listening) + (OF_MCP if door == "mcp" else ""),
                    "token": None if own is not None else keys.issue(key),
                }
            )
    return lines


@contextmanager
def _serving(app: "ASGIApp", listening: "socket") -> Iterator[None]:
    """In a thread of its own: the rounds have the main one, where merchants can be interrupted."""
    from ecbench.doors.http.serving import server_of

    ready = Event()
    server = server_of(app, ready.set, lifespan="on", timeout_graceful_shutdown=CLOSING_SECONDS)
    thread = Thread(target=server.run, kwargs={"sockets": [listening]}, daemon=True)
    thread.start()
    try:
        while thread.is_alive() and not ready.wait(LOOK_SECONDS):
            pass
        yield
    finally:
        server.should_exit = True
        thread.join()


def _linger(http: "HttpSeats", stop: "StopFlag") -> None:
    until = monotonic() + LAST_SECONDS
    while monotonic() < until and not (stop.requested or http.all_read()):
        sleep(LOOK_SECONDS)
