"""Clients that send too much, too slowly or without end: every server refuses them alike, holds, and stops in time."""

import json
import re
import signal
import socket
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, closing, suppress
from dataclasses import replace
from pathlib import Path
from select import select
from subprocess import DEVNULL, PIPE, Popen
from threading import Event, Semaphore
from urllib.parse import urlsplit

import anyio
import psutil
import pytest
from starlette.types import Receive, Scope, Send
from tests.adapters.hosting import WAIT, mcp_year, ready, serving
from tests.runs.lives import PATIENCE_SECONDS, Life

from ecbench.adapters.mcp.server import http_app, only
from ecbench.adapters.serving.asgi import answer as respond
from ecbench.adapters.serving.limits import Limits
from ecbench.pages.board.run_index import Library
from ecbench.pages.board.server.actions import Desk
from ecbench.pages.board.server.app import Settings, board_app
from ecbench.runs.folder import Run, open_run
from ecbench.runs.play.episodes import read_episode
from ecbench.world.load import load_world

SMALL = Limits(
    head=4_000,
    headers=20,
    body=10_000,
    bodies=60_000,
    head_seconds=PATIENCE_SECONDS,
    body_seconds=PATIENCE_SECONDS,
    idle_seconds=int(PATIENCE_SECONDS),
    connections=40,
    unfinished=10,
    surplus_seconds=0.3,
    grace_seconds=1,
    stop_seconds=2.0,
)
HURRIED = replace(SMALL, head_seconds=0.3, body_seconds=0.3, unread_seconds=0.3)
HEAD = b"POST /v1/actions HTTP/1.1\r\nHost: 127.0.0.1\r\n"
SIZED = HEAD + b"Content-Length: 5000\r\n\r\n"
CHUNKED = HEAD + b"Transfer-Encoding: chunked\r\n\r\n"
COMPLETE = b"GET /health HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"
CLOSED = (0, "")
LATE = (408, "the body of the request did not arrive within 0.3 seconds")
STOP_SECONDS = Limits().body_seconds / 2  # far less than a stop that waits for half-sent bodies takes
HALF_SENT = 300  # of each kind
GROWTH = 32_000_000  # bytes of memory
FEW_DESCRIPTORS = 1_024


async def plain(scope: Scope, _receive: Receive, send: Send) -> None:
    """All servers have the same limits in front of their application, so most tests need no more of one."""
    await respond(send, {"status": "ok"})


@pytest.fixture
def limits() -> Limits:
    return SMALL


@pytest.fixture
def address(limits: Limits) -> Iterator[str]:
    with serving(plain, limits=limits) as served:
        yield served


def connected(address: str) -> socket.socket:
    place = urlsplit(address)
    return socket.create_connection((place.hostname, place.port), timeout=PATIENCE_SECONDS)


def answer(line: socket.socket) -> tuple[int, str]:
    """Status and message of a refusal, which the parser gives in plain text; 0 where the connection is just closed."""
    told = b""
    with suppress(ConnectionError):
        while part := line.recv(1 << 16):
            told += part
    head, _, body = told.partition(b"\r\n\r\n")
    if not head:
        return 0, ""
    return int(head.split()[1]), json.loads(body)["error"] if b"application/json" in head else body.decode()


def is_served(address: str) -> bool:
    with closing(connected(address)) as line:
        line.sendall(COMPLETE)
        return line.recv(9) == b"HTTP/1.1 "


def still_open(line: socket.socket) -> bool:
    line.settimeout(0.0)
    try:
        return line.recv(1) != b"" and still_open(line)
    except BlockingIOError:
        return True
    except ConnectionError:
        return False


def open_at_last(lines: Sequence[socket.socket], most: int) -> int:
    """How many are open once the server had the time to close the others."""
    limit = time.monotonic() + PATIENCE_SECONDS
    while (left := sum(map(still_open, lines))) > most and time.monotonic() < limit:
        time.sleep(0.02)
    return left


@pytest.mark.parametrize(
    ("begun", "endless", "refused"),
    [
        pytest.param(HEAD, b"X-Flood: " + b"a" * 500 + b"\r\n", 400, id="headers"),
        pytest.param(HEAD, b"A: b\r\n" * 50, 400, id="short headers"),
        pytest.param(HEAD + b"A: b\r\n" * 30 + b"\r\n", b"", 431, id="more headers than are read"),
        pytest.param(HEAD + b"X-Flood: ", b"a" * 500, 400, id="one header"),
        pytest.param(b"GET /", b"a" * 500, 400, id="address"),
        pytest.param(b"", b"\r\n" * 500, 400, id="empty lines"),
        pytest.param(HEAD + b"Content-Length: 999999999999\r\n\r\n", b"a", 413, id="stated length"),
        pytest.param(CHUNKED, b"3e8\r\n" + b"a" * 1_000 + b"\r\n", 413, id="chunks"),
        pytest.param(CHUNKED + b"1;x=", b"a" * 1_000, 400, id="extension of a chunk"),
        pytest.param(CHUNKED + b"0\r\n", b"A: " + b"a" * 500 + b"\r\n", 400, id="trailers"),
        pytest.param(HEAD + b"Content-Length: -1\r\n\r\n", b"a", 400, id="negative length"),
        pytest.param(b"no HTTP at all\r\n\r\n", b"", 400, id="not HTTP"),
    ],
)
def test_what_has_no_end_is_refused_early(address: str, begun: bytes, endless: bytes, refused: int) -> None:
    with closing(connected(address)) as line:
        line.sendall(begun)
        with suppress(ConnectionError):
            for _ in range(50):
                line.sendall(endless)
        status, message = answer(line)
    assert status == refused and message
    assert is_served(address)


@pytest.mark.parametrize(
    ("begun", "piece", "refused"),
    [
        pytest.param(b"", b"", CLOSED, id="silent"),
        pytest.param(HEAD, b"", CLOSED, id="half a head"),
        pytest.param(HEAD, b"A", CLOSED, id="slow head"),
        pytest.param(COMPLETE + HEAD, b"A", None, id="slow second head"),
        pytest.param(SIZED, b"", LATE, id="half a body"),
        pytest.param(SIZED, b"a", LATE, id="slow body"),
        pytest.param(CHUNKED, b"1\r\na\r\n", LATE, id="slow chunks"),
    ],
)
@pytest.mark.parametrize("limits", [HURRIED], ids=["hurried"])
def test_what_does_not_arrive_in_time_is_refused(
    address: str, begun: bytes, piece: bytes, refused: tuple[int, str] | None
) -> None:
    """A piece now and then gains no time."""
    with closing(connected(address)) as line:
        line.sendall(begun)
        if refused is None:  # the first request is answered, with a JSON object
            told = b""
            while not told.endswith(b"}"):
                told += line.recv(1 << 16)
            assert told.startswith(b"HTTP/1.1 ")
        with suppress(ConnectionError):
            while not select([line], [], [], 0.05)[0]:
                line.sendall(piece)
        assert answer(line) == (refused or CLOSED)


@pytest.mark.parametrize("begun", [b"", HEAD, SIZED + b"a" * 4_000], ids=["silent", "heads", "bodies"])
def test_of_many_half_sent_requests_the_oldest_are_refused(address: str, begun: bytes) -> None:
    with ExitStack() as made:
        lines = [made.enter_context(closing(connected(address))) for _ in range(SMALL.unfinished * 3)]
        for line in lines:
            line.sendall(begun)
        assert is_served(address)
        assert open_at_last(lines, SMALL.unfinished) <= SMALL.unfinished


def test_of_many_idle_connections_one_is_closed_for_a_new_one(address: str) -> None:
    with ExitStack() as made:
        lines = []
        for _ in range(SMALL.connections + 1):
            lines.append(made.enter_context(closing(connected(address))))
            lines[-1].sendall(COMPLETE)
            assert lines[-1].recv(9) == b"HTTP/1.1 "
        assert open_at_last(lines, SMALL.connections) == SMALL.connections


def test_requests_beyond_the_limit_are_refused_while_others_are_answered() -> None:
    over, begun = Event(), Semaphore(0)

    async def slow(scope: Scope, receive: Receive, send: Send) -> None:
        begun.release()
        while not over.is_set():
            await anyio.sleep(0.01)
        await respond(send, {})

    with serving(slow, limits=SMALL) as address, ExitStack() as made:
        for _ in range(SMALL.connections):
            made.enter_context(closing(connected(address))).sendall(COMPLETE)
            assert begun.acquire(timeout=PATIENCE_SECONDS)
        one_more = made.enter_context(closing(connected(address)))
        one_more.sendall(COMPLETE)
        assert answer(one_more) == (503, "too many requests are being answered; send it again later")
        over.set()


def test_half_sent_bodies_together_have_a_limit(address: str) -> None:
    with ExitStack() as made:
        lines = [made.enter_context(closing(connected(address))) for _ in range(SMALL.unfinished)]
        for line in lines:
            line.sendall(HEAD + b"Content-Length: 9999\r\n\r\n" + b"a" * 9_000)
        assert is_served(address)
        assert open_at_last(lines, SMALL.bodies // 9_000) <= SMALL.bodies // 9_000


@pytest.mark.parametrize("path", ["//evil.example/x", "/%2Fevil.example/x", "///evil.example", "/\\evil.example", "//"])
@pytest.mark.parametrize("transport", ["mcp", "board"])
def test_no_address_leads_to_another_site(transport: str, run: Run, tmp_path: Path, path: str) -> None:
    """Applications of a framework may redirect."""
    app = http_app(only(mcp_year(run, run.load_world()), "t"), "127.0.0.1")
    if transport == "board":
        app = board_app(Desk(Library(tmp_path), frozenset(), lambda: "now"), Settings(("127.0.0.1",), "t", "mark"))
    with serving(app, lifespan=transport == "mcp") as address, closing(connected(address)) as line:
        line.sendall(f"GET {path}?token=t HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n".encode())
        head = line.makefile("rb").read().partition(b"\r\n\r\n")[0].decode()
    assert all(re.match(r"/([^/\\]|$)", place) for place in re.findall(r"(?im)^location: (.*?)\r?$", head))


def test_a_client_that_does_not_read_its_answer_is_disconnected() -> None:
    ended = Event()

    async def endless(scope: Scope, receive: Receive, send: Send) -> None:
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await send({"type": "http.response.body", "body": bytes(50_000_000), "more_body": True})
        await send({"type": "http.response.body"})  # once the client has read enough, or is disconnected
        ended.set()

    with serving(endless, limits=HURRIED) as address, closing(connected(address)) as line:
        line.sendall(COMPLETE)
        assert ended.wait(PATIENCE_SECONDS)
        assert len(line.makefile("rb").read()) < 50_000_000


COMMANDS = {
    "host": ("http", "--port", "0", "--out", "run"),
    "mcp": ("mcp", "--http", "0", "--out", "run"),
    "board": ("board", "runs", "--port", "0", "--no-browser"),
    "arena": ("arena", "--seats", "http:a,http:b", "--port", "0", "--out", "run"),
}


def address_of(life: Life, transport: str) -> str:
    if transport != "board":
        return str(ready(life)[0]["base_url"])
    limit = time.monotonic() + PATIENCE_SECONDS
    while not (found := re.search(r"http://\S+", life.said)):
        assert time.monotonic() < limit, life.said
        time.sleep(0.01)
    return found[0]


@pytest.mark.parametrize("transport", ["host", "mcp", "board"])  # an arena has the server of a host
def test_a_flooded_command_stays_small_answers_others_and_stops_in_time(
    transport: str, small_world: Path, tmp_path: Path
) -> None:
    world = () if transport == "board" else ("--world", str(small_world))
    life = Life(*COMMANDS[transport], *world, log=tmp_path / "log")
    address, process = address_of(life, transport), psutil.Process(life.pid)
    before = process.memory_info().rss
    with ExitStack() as made:
        for begun in (HEAD, HEAD + b"Content-Length: 9000\r\n\r\n", CHUNKED):
            for _ in range(HALF_SENT):
                made.enter_context(closing(connected(address))).sendall(begun + b"a")
        for begun, endless in ((HEAD, b"A: b\r\n" * 10_000), (CHUNKED, b"a\r\n" + b"a" * 10 + b"\r\n")):
            line = made.enter_context(closing(connected(address)))
            with suppress(ConnectionError):
                line.sendall(begun + endless * 2_000)
        assert is_served(address)
        assert process.memory_info().rss - before < GROWTH
        assert len(process.net_connections()) < 3 * HALF_SENT
        began = time.monotonic()
        life.send(signal.SIGINT)
        assert life.end() == 130
        assert time.monotonic() - began < STOP_SECONDS
    assert "Traceback" not in life.said


def test_half_open_connections_lock_nobody_out_where_few_files_may_be_open(small_world: Path, tmp_path: Path) -> None:
    command = f"ulimit -n {FEW_DESCRIPTORS}; exec {sys.executable} -m ecbench http --port 0 --out {tmp_path / 'run'}"
    with (
        Popen(["sh", "-c", f"{command} --world {small_world}"], stdout=PIPE, stderr=DEVNULL, text=True) as host,
        ExitStack() as made,
    ):
        made.callback(host.kill)
        assert host.stdout is not None
        address = json.loads(host.stdout.readline())["base_url"]
        for _ in range(600):
            made.enter_context(closing(connected(address))).sendall(HEAD)
        for _ in range(10):
            assert is_served(address)


@pytest.mark.parametrize("transport", ["host", "mcp", "arena"])
def test_a_server_stops_in_time_while_a_turn_runs(transport: str, tmp_path: Path) -> None:
    """The largest turn of a year takes longer than the stop may; at a seat, a turn waits for the rival."""
    world = load_world("default")
    skus = "\n".join(f'{{"action": "reject", "sku_id": "{product.sku}"}}' for product in world.products)
    everyone = {"uids": [supplier.email for supplier in world.suppliers], "content": f"```negotiate\n{skus}\n```"}
    body: object = {"tool_calls": [WAIT] if transport == "arena" else [{"name": "chatbox", "arguments": everyone}]}
    if transport == "mcp":
        params = {"name": "chatbox", "arguments": everyone}
        body = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}
    life = Life(*COMMANDS[transport], log=tmp_path / "log")
    told = ready(life, seats=2 if transport == "arena" else 1)[0]
    content = json.dumps(body).encode()
    place = "/mcp" if transport == "mcp" else "/v1/actions"
    with closing(connected(told["base_url"])) as line:
        head = f"POST {place} HTTP/1.1\r\nHost: {urlsplit(told['base_url']).netloc}\r\n"
        head += f"Authorization: Bearer {told['token']}\r\n"
        kind = "Content-Type: application/json\r\nAccept: application/json, text/event-stream\r\n"
        line.sendall(f"{head}{kind}Content-Length: {len(content)}\r\n\r\n".encode() + content)
        line.settimeout(0.2)  # the turn has begun, and is not over yet
        with pytest.raises(TimeoutError):
            line.recv(1)
        began = time.monotonic()
        life.send(signal.SIGTERM)
        assert life.end() == 130
        assert time.monotonic() - began < STOP_SECONDS
    assert "Traceback" not in life.said
    assert not read_episode(open_run(tmp_path / "run"), 0).damage


def test_answer_is_not_cut_off_when_the_task_of_the_request_before_ends_late() -> None:
    """A file is closed after its last byte was sent; by then the next request of its connection may have arrived."""
    streaming = anyio.Event()

    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["path"] == "/file":
            await respond(send, "all of it")
            await streaming.wait()
            return
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await send({"type": "http.response.body", "body": b"begun", "more_body": True})
        streaming.set()
        await anyio.sleep(HURRIED.head_seconds * 4)
        await send({"type": "http.response.body", "body": b"ended"})

    with serving(app, limits=HURRIED) as address:
        place = urlsplit(address)
        with socket.create_connection((place.hostname, place.port), timeout=PATIENCE_SECONDS) as line:
            line.sendall(b"GET /file HTTP/1.1\r\nHost: x\r\n\r\n")
            while b"all of it" not in line.recv(10_000):
                pass
            line.sendall(b"GET /stream HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
            assert b"ended" in line.makefile("rb").read()
