"""A listener on loopback: one thread a connection, one function for all that is asked."""

import json
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


@dataclass(frozen=True)
class Reply:
    """What is sent; `retry_after` are the seconds that a client is asked to wait, if any."""

    status: int
    body: bytes
    kind: str = "application/json"
    retry_after: int = 0
    encoding: str = ""


def json_reply(status: int, body: Any, retry_after: int = 0) -> Reply:
    return Reply(status, json.dumps(body).encode(), retry_after=retry_after)


class Exchange(BaseHTTPRequestHandler):
    """A request, and what is sent for it."""

    protocol_version = "HTTP/1.1"

    def log_message(self, format: str, *args: Any) -> None:
        """Keep the test output quiet."""

    def asked(self) -> dict[str, Any]:
        announced = int(self.headers["Content-Length"])
        body = self.rfile.read(announced)
        if len(body) < announced:
            raise ConnectionResetError("the client is gone in the middle of its request")
        asked: dict[str, Any] = json.loads(body)
        return asked

    def lower_headers(self) -> dict[str, str]:
        return {name.lower(): value for name, value in self.headers.items()}

    def send(self, reply: Reply, *, cut: bool = False) -> None:
        """With `cut`, half of it; then the line breaks."""
        self.send_response(reply.status)
        self.send_header("Content-Type", reply.kind)
        self.send_header("Content-Length", str(len(reply.body)))
        if reply.retry_after:
            self.send_header("Retry-After", f"{reply.retry_after}")
        if reply.encoding:
            self.send_header("Content-Encoding", reply.encoding)
        self.end_headers()
        with suppress(ConnectionError):  # the client may be gone
            self.wfile.write(reply.body[: len(reply.body) // 2] if cut else reply.body)
        if cut:
            self.drop()

    def send_endless(self) -> None:
        """Spaces, until the client has had enough."""
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.end_headers()
        with suppress(ConnectionError):
            while True:
                self.wfile.write(b" " * 65_536)
        self.drop()

    def drop(self) -> None:
        self.close_connection = True


@contextmanager
def listen(reply: Callable[[Exchange], None]) -> Iterator[str]:
    """Listen until the block ends; yields the address."""

    class Answered(Exchange):
        def do_GET(self) -> None:
            reply(self)

        def do_POST(self) -> None:
            reply(self)

    class Server(ThreadingHTTPServer):
        request_queue_size = 128  # with the default of 5, one of twenty connections at once may be lost for minutes

        def handle_error(self, request: Any, client_address: Any) -> None:
            """A client that was killed in the middle of a request is no fault of the server's."""
            if not isinstance(sys.exc_info()[1], ConnectionError):
                super().handle_error(request, client_address)

    listening = Server(("127.0.0.1", 0), Answered)
    listening.daemon_threads = True
    thread = threading.Thread(target=listening.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    try:
        yield f"http://127.0.0.1:{listening.server_address[1]}"
    finally:
        listening.shutdown()
        thread.join()
        listening.server_close()
