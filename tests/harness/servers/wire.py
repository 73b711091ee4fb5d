"""One HTTP server for all protocols: it hands requests to a protocol, and what that understood to a script."""

import json
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Protocol

from tests.harness.servers.conversation import Fault, Refused, Script, Talk, Trouble, Turn

STATUS: dict[Trouble, int] = {
    "bad_request": 400,
    "rate_limit": 429,
    "server_error": 500,
    "unavailable": 503,
    "overflow": 400,
    "filtered": 400,
    "error_body": 200,
}


@dataclass(frozen=True)
class Reply:
    status: int
    body: bytes
    kind: str = "application/json"


def json_reply(status: int, body: Any) -> Reply:
    return Reply(status, json.dumps(body).encode())


class Dialect(Protocol):
    """One provider's protocol: how it is reached, what it takes, and how it answers."""

    agent: str  # the name under which ecbench knows the scripted model
    key_variable: str
    url_path: str  # behind the server's address, as a client is told it

    def admit(self, path: str, headers: Mapping[str, str], request: dict[str, Any]) -> None:
        """Raises Refused for a wrong address, key or model."""

    def read(self, request: dict[str, Any]) -> Talk:
        """Raises Refused for what the provider would not take."""

    def answer(self, request: dict[str, Any], turn: Turn) -> Reply: ...
    def refuse(self, refused: Refused) -> Reply: ...
    def fail(self, request: dict[str, Any], trouble: Trouble) -> Reply: ...


@dataclass
class Server:
    """The address of a server, and everything that happened at it; a fault of its own is raised when it closes."""

    url: str
    requests: list[dict[str, Any]] = field(default_factory=list)
    talks: list[Talk] = field(default_factory=list)
    refusals: list[str] = field(default_factory=list)
    closing: threading.Event = field(default_factory=threading.Event)
    faults: list[Exception] = field(default_factory=list)


@contextmanager
def serve(dialect: Dialect, script: Script) -> Iterator[Server]:
    """Serve the script until the block ends; requests are answered in the order in which they arrive."""
    turn = threading.Lock()

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def log_message(self, format: str, *args: Any) -> None:
            """Keep the test output quiet."""

        def do_POST(self) -> None:
            try:
                self.reply()
            except Exception as problem:
                server.faults.append(problem)
                self.send(dialect.refuse(Refused("", "the server itself has failed")))

        def reply(self) -> None:
            request = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            with turn:
                said = self.hear(request)
            if isinstance(said, Reply):
                self.send(said)
            elif isinstance(said, Turn):
                self.send(dialect.answer(request, said))
            else:
                self.fail(request, said.trouble)

        def hear(self, request: dict[str, Any]) -> Turn | Fault | Reply:
            try:
                dialect.admit(self.path, {name.lower(): value for name, value in self.headers.items()}, request)
                server.requests.append(request)
                talk = dialect.read(request)
            except Refused as refused:
                server.refusals.append(str(refused))
                return dialect.refuse(refused)
            server.talks.append(talk)
            return script(talk)

        def fail(self, request: dict[str, Any], trouble: Trouble) -> None:
            if trouble == "hang":
                server.closing.wait()
            if trouble in ("hang", "drop"):
                self.close_connection = True
            elif trouble == "cut":
                whole = dialect.answer(request, Turn())
                self.send(whole, len(whole.body) // 2)
            elif trouble == "no_json":
                self.send(Reply(200, b"<html>Be right back.</html>", "text/html"))
            else:
                self.send(dialect.fail(request, trouble))

        def send(self, reply: Reply, length: int | None = None) -> None:
            self.send_response(reply.status)
            self.send_header("Content-Type", reply.kind)
            self.send_header("Content-Length", str(len(reply.body)))
            if reply.status >= 400:
                self.send_header("Retry-After-Ms", "1")
            self.end_headers()
            with suppress(ConnectionError):  # whoever asked may be gone
                self.wfile.write(reply.body[:length])
            if length is not None:
                self.close_connection = True

    listening = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    listening.daemon_threads = True
    server = Server(f"http://127.0.0.1:{listening.server_address[1]}{dialect.url_path}")
    thread = threading.Thread(target=listening.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    try:
        yield server
    finally:
        server.closing.set()
        listening.shutdown()
        thread.join()
        listening.server_close()
    if server.faults:
        raise server.faults[0]
