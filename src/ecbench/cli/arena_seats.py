"""The seats of an arena that external agents and people play: their addresses, their tokens and their server."""

import json
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from hashlib import sha256
from math import inf
from socket import socket
from threading import Event, Thread
from time import monotonic, sleep
from typing import Any

from starlette.types import ASGIApp

from ecbench.adapters.hosted_run import MCP_PATH, HostedRun, SeatKey, arena_app
from ecbench.adapters.http.app import host_app
from ecbench.adapters.serving.server import base_url, host_names, listen, server_of
from ecbench.adapters.session_keys import Keys, new_token
from ecbench.cancellation import StopFlag
from ecbench.cli.options import SeatServer
from ecbench.cli.terminal import say
from ecbench.extras import import_with_extra
from ecbench.pages.board.run_index import Library
from ecbench.pages.board.server.actions import Desk
from ecbench.pages.board.server.app import Settings, board_app
from ecbench.pages.board.server.sessions import PersonSessions, ServedSeats, no_new_years
from ecbench.runs.folder import Run
from ecbench.runs.play.external_seats import ExternalSeats

REQUESTS_A_SECOND = 1_000  # with one token; seats are few
LAST_SECONDS = 10.0  # for agents to ask how their last episode ended
LOOK_SECONDS = 0.05


def refuse_address(server: SeatServer) -> None:
    """Raise RunError if nothing can be served at the address."""
    listen(server.bind, server.port, [new_token()]).close()


@contextmanager
def served(run: Run, external: ExternalSeats, server: SeatServer, stop: StopFlag, *, as_json: bool) -> Iterator[None]:
    """Serve the seats meanwhile, and shortly after, until every client has read how it ended."""
    with ExitStack() as held:
        people_token = new_token()
        listening = held.enter_context(listen(server.bind, server.port, [people_token]))
        keys = held.enter_context(Keys(run.folder))
        seats = HostedRun(run, keys, REQUESTS_A_SECOND, external)
        app, lines = _prepared(run, external, seats, listening, people_token, held)
        with _serving(app, listening):
            for line in lines:
                say(json.dumps(line), err=as_json)
            yield
            _linger(seats, stop, any(seat.transport == "board" for seat in run.terms.seats))


def _prepared(
    run: Run, external: ExternalSeats, seats: HostedRun, listening: socket, people_token: str, held: ExitStack
) -> tuple[ASGIApp, list[dict[str, Any]]]:
    """The app to serve, and for each seat a line with its address and token."""
    address, mcp, pages = base_url(listening), None, None
    lines = list(_ready_lines(run, seats, "http", address))
    if seats.entries("mcp"):
        transport = import_with_extra("ecbench.adapters.mcp.server", "mcp")
        mcp = transport.http_app(seats.over("mcp"), listening.getsockname()[0])
        lines += _ready_lines(run, seats, "mcp", address + MCP_PATH)
    if people := seats.entries("board"):
        library = Library(run.folder, sha256(people_token.encode()).digest())
        transports = frozenset(seat.transport for seat in run.terms.seats if seat.transport)
        sessions = PersonSessions({library.folder: ServedSeats(external)})
        desk = Desk(library, frozenset(), no_new_years, sessions, transports)
        held.callback(desk.close)
        pages = board_app(desk, Settings(host_names(address), people_token, new_token()))
        for entry in people:
            page = f"{address}/runs/{library.key_of(run.of_entry(entry))}/0?token={people_token}"
            lines.append(_ready_line(run, entry, 0, page, None))
    return arena_app(host_app(seats.over("http"), seats.add), mcp, pages), lines


def _ready_lines(run: Run, seats: HostedRun, transport: str, address: str) -> Iterator[dict[str, Any]]:
    """For each seat its address and its token; over MCP one for each round, where a client cannot ask for the next."""
    rounds = range(run.episodes if transport == "mcp" else 1)
    for key in (SeatKey(number, entry) for entry in seats.entries(transport) for number in rounds):
        yield _ready_line(run, key.entry, key.episode, address, seats.issue(key))


def _ready_line(run: Run, entry: int, number: int, address: str, token: str | None) -> dict[str, Any]:
    seat = run.terms.labels[entry]
    return {"status": "ready", "seat": seat, "episode": number, "base_url": address, "token": token}


@contextmanager
def _serving(app: ASGIApp, listening: socket) -> Iterator[None]:
    """Run the server in a separate thread: rounds need the main one, where merchants can be interrupted."""
    ready = Event()
    server = server_of(app, ready.set, lifespan=True)
    thread = Thread(target=server.run, kwargs={"sockets": [listening]}, daemon=True)
    thread.start()
    try:
        while thread.is_alive() and not ready.wait(LOOK_SECONDS):
            pass
        yield
    finally:
        server.should_exit = True
        thread.join()


def _linger(seats: HostedRun, stop: StopFlag, people: bool) -> None:
    """Serve until agents have read how their last episode ended; people may look until Ctrl-C."""
    if people and not stop.requested:
        say("The pages are served until Ctrl-C.", err=True)
    until = monotonic() + (inf if people else LAST_SECONDS)
    while monotonic() < until and not (stop.requested or (seats.all_read() and not people)):
        sleep(LOOK_SECONDS)
