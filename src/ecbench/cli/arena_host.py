"""An arena with seats for the outside: its address, who is told which token, and what is served until it is over."""

import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from math import inf
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

    from ecbench.adapters.arena.http_seats import HttpSeats
    from ecbench.adapters.arena.seat_tokens import SeatKeys
    from ecbench.adapters.session_keys import Keys
    from ecbench.runs.arena.folder import ArenaRun
    from ecbench.runs.arena.open_seats import OpenSeats
    from ecbench.runs.play.cancellation import StopFlag

REQUESTS_A_SECOND = 1_000  # with one token; seats are few
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
        help="What a client of such a seat shows: once for each seat of http, then of mcp, then once for all persons "
        "(in the variable with spaces between). [default: random ones, printed]",
    ),
]


class Outside(NamedTuple):
    """Where seats for the outside are served."""

    port: int = USUAL_PORT
    bind: str = "127.0.0.1"
    tokens: Sequence[str] = ()


def refuse_tokens(agents: Sequence[str], tokens: Sequence[str]) -> None:
    """Raises RunError unless there are as many as are asked for, or none."""
    from ecbench.runs.arena.seat_names import door_of
    from ecbench.runs.errors import RunError

    doors = [door_of(agent) for agent in agents if door_of(agent)]
    wanted = len([door for door in doors if door != "board"]) + ("board" in doors)
    if not all(token and token.isascii() and token.isprintable() and " " not in token for token in tokens):
        raise RunError("--token: a token is made of letters, digits and signs of ASCII, without spaces, one at least")
    if tokens and wanted and not (len(tokens) == len(set(tokens)) == wanted):
        raise RunError(
            f"--token: {len(tokens)} tokens, {len(set(tokens))} different ones where {wanted} are needed: one for each "
            "seat of http and mcp, and one for all persons"
        )


def refuse_address(agents: Sequence[str], outside: Outside) -> None:
    """Raises RunError where seats for the outside could not be served: said before a folder is made."""
    from ecbench.cli.extras import needing
    from ecbench.runs.arena.open_seats import has_outside_seats

    if has_outside_seats(agents):
        with needing("serve", "anyio", "starlette", "uvicorn"):
            from ecbench.adapters.http.server import listen
        listen(outside.bind, outside.port, trusted=bool(outside.tokens)).close()


@contextmanager
def served(run: "ArenaRun", outside: Outside, stop: "StopFlag", *, as_json: bool) -> "Iterator[OpenSeats]":
    """Meanwhile the seats for the outside are served, and shortly after, until everybody knows how it ended."""
    from ecbench.runs.arena.open_seats import open_seats_of
    from ecbench.runs.arena.seat_names import door_of

    places = open_seats_of(run)
    if not places:
        yield places
        return
    from ecbench.cli.extras import needing

    refuse_tokens(run.terms.agents, outside.tokens)
    with needing("serve", "anyio", "starlette", "uvicorn"):
        from ecbench.adapters.http.server import listen
        from ecbench.adapters.session_keys import Keys

    with ExitStack() as held:
        listening = held.enter_context(listen(outside.bind, outside.port, trusted=bool(outside.tokens)))
        keys = held.enter_context(Keys(run.folder))
        app, http, lines = _prepared(run, places, keys, listening, outside.tokens, held)
        with _serving(app, listening):
            for line in lines:
                say(json.dumps(line), err=as_json)
            yield places
            _linger(http, stop, "board" in map(door_of, run.terms.agents))


def _prepared(
    run: "ArenaRun", places: "OpenSeats", keys: "Keys", listening: "socket", tokens: Sequence[str], held: ExitStack
) -> "tuple[ASGIApp, HttpSeats, list[dict[str, Any]]]":
    """What is served, and for each seat what its player must know."""
    from ecbench.adapters.arena.app import OF_MCP, arena_app
    from ecbench.adapters.arena.http_seats import HttpSeats
    from ecbench.adapters.arena.seat_tokens import SeatKeys
    from ecbench.adapters.http.app import host_app
    from ecbench.adapters.http.server import base_url
    from ecbench.cli.extras import needing
    from ecbench.world.load import load_world

    run.seat_runs(0, load_world(run.terms.world_of(0)))  # for clients that ask before the round begins
    seat_keys, mcp, pages = SeatKeys(run, keys), None, None
    chosen = dict(zip((entry for door in ("http", "mcp", "board") for entry in seat_keys.entries(door)), tokens))
    http = HttpSeats(run, seat_keys, places, REQUESTS_A_SECOND)
    lines = _ready_lines(run, seat_keys, "http", base_url(listening), chosen)
    if seat_keys.entries("mcp"):
        with needing("mcp", "anyio", "mcp", "mcp_types", "starlette", "uvicorn"):
            from ecbench.adapters.arena.mcp_seats import McpSeats
        mcp = McpSeats(run, seat_keys, places, listening.getsockname()[0], REQUESTS_A_SECOND)
        lines += _ready_lines(run, seat_keys, "mcp", base_url(listening) + OF_MCP, chosen)
    if persons := seat_keys.entries("board"):
        pages, addresses = _pages(run, places, base_url(listening), persons, chosen, held)
        lines += addresses
    return arena_app(host_app(http), mcp, pages), http, lines


def _ready_lines(
    run: "ArenaRun", keys: "SeatKeys", door: str, address: str, chosen: Mapping[int, str]
) -> list[dict[str, Any]]:
    """For each seat its address and its token; over MCP one for each round, where a client cannot ask for the next."""
    from ecbench.adapters.arena.seat_tokens import SeatKey

    lines = []
    for entry in keys.entries(door):
        for number in range(run.terms.rounds if door == "mcp" else 1):
            key, own = SeatKey(number, entry), chosen.get(entry) if number == 0 else None
            if own is not None:
                keys.accept(own, key)
            token = keys.issue(key) if own is None else None
            lines.append(_ready_line(run, key.entry, key.round, address, token))
    return lines


def _ready_line(run: "ArenaRun", entry: int, number: int, address: str, token: str | None) -> dict[str, Any]:
    seat = run.terms.labels[entry]
    return {"status": "ready", "seat": seat, "round": number, "base_url": address, "token": token}


def _pages(
    run: "ArenaRun",
    places: "OpenSeats",
    address: str,
    persons: Sequence[int],
    chosen: Mapping[int, str],
    held: ExitStack,
) -> "tuple[ASGIApp, list[dict[str, Any]]]":
    """The board of this arena's folder, behind one token for all persons in it, and where their seats are."""
    from ecbench.cli.extras import needing

    with needing("serve", "jinja2"):
        from ecbench.board.run_index import Library
        from ecbench.board.server.actions import Desk
        from ecbench.board.server.app import Settings, board_app
        from ecbench.board.server.arenas import Arenas, ServedPlaces, no_new_years
    from ecbench.adapters.bearer_tokens import new_token
    from ecbench.adapters.http.server import host_names

    library, own = Library(run.folder), chosen.get(persons[0])
    token = own or new_token()
    desk = Desk(library, frozenset(), no_new_years, Arenas({library.folder: ServedPlaces(run, places)}))
    held.callback(desk.close)
    lines = []
    for entry in persons:
        seat = library.key_of(library.folder / run.seat_folder(0, run.terms.seat_of(0, entry)).relative_to(run.folder))
        way_in = "" if own else f"?token={token}"
        lines.append(_ready_line(run, entry, 0, f"{address}/runs/{seat}/0{way_in}", None))
    return board_app(desk, Settings(host_names(address), token, new_token())), lines


@contextmanager
def _serving(app: "ASGIApp", listening: "socket") -> Iterator[None]:
    """In a thread of its own: the rounds have the main one, where merchants can be interrupted."""
    from ecbench.adapters.http.server import server_of

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


def _linger(http: "HttpSeats", stop: "StopFlag", persons: bool) -> None:
    """Agents ask at once how their last year ended, or never; a person takes time to look at it."""
    if persons and not stop.requested:
        say("The pages are served until Ctrl-C.", err=True)
    until = monotonic() + (inf if persons else LAST_SECONDS)
    while monotonic() < until and not (stop.requested or (http.all_read() and not persons)):
        sleep(LOOK_SECONDS)
