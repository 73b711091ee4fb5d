"""The seats of an arena that external agents and people play: their addresses, their tokens and their server."""

import json
from collections.abc import Iterator, Mapping, Sequence
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
    listen(server.bind, server.port, server.tokens).close()


@contextmanager
def served(run: Run, external: ExternalSeats, server: SeatServer, stop: StopFlag, *, as_json: bool) -> Iterator[None]:
    """Serve the seats meanwhile, and shortly after, until every client has read how it ended."""
    with ExitStack() as held:
        listening = held.enter_context(listen(server.bind, server.port, server.tokens))
        keys = held.enter_context(Keys(run.folder))
        app, seats, lines = _prepared(run, external, keys, listening, server.tokens, held)
        with _serving(app, listening):
            for line in lines:
                say(json.dumps(line), err=as_json)
            yield
            _linger(seats, stop, any(seat.transport == "board" for seat in run.terms.seats))


def _prepared(
    run: Run, external: ExternalSeats, keys: Keys, listening: socket, tokens: Sequence[str], held: ExitStack
) -> tuple[ASGIApp, HostedRun, list[dict[str, Any]]]:
    seats, mcp, pages = HostedRun(run, keys, REQUESTS_A_SECOND, external), None, None
    chosen = dict(zip((entry for transport in ("http", "mcp", "board") for entry in seats.entries(transport)), tokens))
    lines = list(_ready_lines(run, seats, "http", base_url(listening), chosen))
    if seats.entries("mcp"):
        transport = import_with_extra("ecbench.adapters.mcp.server", "mcp")
        mcp = transport.http_app(seats.over("mcp"), listening.getsockname()[0])
        lines += _ready_lines(run, seats, "mcp", base_url(listening) + MCP_PATH, chosen)
    if people := seats.entries("board"):
        pages, addresses = _pages(run, external, base_url(listening), people, chosen, held)
        lines += addresses
    return arena_app(host_app(seats.over("http"), seats.add), mcp, pages), seats, lines


def _ready_lines(
    run: Run, seats: HostedRun, transport: str, address: str, chosen: Mapping[int, str]
) -> Iterator[dict[str, Any]]:
    """For each seat its address and its token; over MCP one for each round, where a client cannot ask for the next."""
    rounds = range(run.episodes if transport == "mcp" else 1)
    for key in (SeatKey(number, entry) for entry in seats.entries(transport) for number in rounds):
        own = chosen.get(key.entry) if key.episode == 0 else None
        if own is not None:
            seats.accept(own, key)
        yield _ready_line(run, key.entry, key.episode, address, seats.issue(key) if own is None else None)


def _ready_line(run: Run, entry: int, number: int, address: str, token: str | None) -> dict[str, Any]:
    seat = run.terms.labels[entry]
    return {"status": "ready", "seat": seat, "episode": number, "base_url": address, "token": token}


def _pages(
    run: Run,
    external: ExternalSeats,
    address: str,
    people: Sequence[int],
    chosen: Mapping[int, str],
    held: ExitStack,
) -> tuple[ASGIApp, list[dict[str, Any]]]:
    """The board of this arena's folder, behind one token for all people in it, and where their seats are."""
    own = chosen.get(people[0])
    token = own or new_token()
    library = Library(run.folder, sha256(token.encode()).digest())
    transports = frozenset(seat.transport for seat in run.terms.seats if seat.transport)
    desk = Desk(library, frozenset(), no_new_years, PersonSessions({library.folder: ServedSeats(external)}), transports)
    held.callback(desk.close)
    lines = []
    for entry in people:
        way_in = "" if own else f"?token={token}"
        page = f"{address}/runs/{library.key_of(run.of_entry(entry))}/0{way_in}"
        lines.append(_ready_line(run, entry, 0, page, None))
    return board_app(desk, Settings(host_names(address), token, new_token())), lines


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
