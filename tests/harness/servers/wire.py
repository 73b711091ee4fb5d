"""One HTTP server for all protocols: it hands requests to a protocol, and what that understood to a script."""

import gzip
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, Protocol

from tests.harness.servers.conversation import Fault, Refused, Script, Talk, Trouble, Turn
from tests.harness.servers.listening import Exchange, Reply, json_reply, listen

STATUS: dict[Trouble, int] = {
    "bad_request": 400,
    "rate_limit": 429,
    "server_error": 500,
    "unavailable": 503,
    "overflow": 400,
    "filtered": 400,
    "error_body": 200,
}
COMPRESSED = 20 << 20  # bytes, of which a few kilobytes are sent


class Dialect(Protocol):
    """One provider's protocol: how it is reached, what it takes, and how it answers."""

    agent: str  # the name under which ecbench knows the scripted model
    key_variable: str
    url_path: str  # behind the server's address, as a client is told it

    def admit(self, path: str, headers: Mapping[str, str], request: dict[str, Any]) -> None:
        """Raises Refused for a wrong address, key or model."""

    def read(self, request: dict[str, Any]) -> Talk:
        """Raises Refused for what the provider would not take."""

    def answer(self, request: dict[str, Any], turn: Turn, origin: str) -> Reply:
        """`origin` is the digest of the request."""

    def refuse(self, refused: Refused) -> Reply: ...
    def fail(self, request: dict[str, Any], trouble: Trouble) -> Reply: ...


@dataclass
class Server:
    """Everything that happens at a server's address; a fault of its own is raised when it closes."""

    dialect: Dialect
    script: Script
    url: str = ""
    requests: list[dict[str, Any]] = field(default_factory=list)
    talks: list[Talk] = field(default_factory=list)
    refusals: list[str] = field(default_factory=list)
    faults: list[Exception] = field(default_factory=list)
    closing: threading.Event = field(default_factory=threading.Event)
    _turn: threading.Lock = field(default_factory=threading.Lock)

    def reply(self, exchange: Exchange) -> None:
        """Requests are answered in the order in which they arrive."""
        if exchange.command == "GET":
            exchange.send(json_reply(404, {"error": {"message": f"no such path {exchange.path}"}}))
            return
        try:
            request = exchange.asked()
            with self._turn:
                talk, said = self._hear(exchange, request)
            if isinstance(said, Fault):
                self._fail(exchange, request, talk, said.trouble)
            else:
                exchange.send(self.dialect.answer(request, said, talk.digest))
        except Refused as refused:
            self.refusals.append(str(refused))
            exchange.send(self.dialect.refuse(refused))
        except Exception as problem:
            self.faults.append(problem)
            exchange.send(self.dialect.refuse(Refused("", "the server itself has failed")))

    def _hear(self, exchange: Exchange, request: dict[str, Any]) -> tuple[Talk, Turn | Fault]:
        self.dialect.admit(exchange.path, exchange.lower_headers(), request)
        self.requests.append(request)
        talk = self.dialect.read(request)
        self.talks.append(talk)
        return talk, self.script(talk)

    def _fail(self, exchange: Exchange, request: dict[str, Any], talk: Talk, trouble: Trouble) -> None:
        match trouble:
            case "hang":
                self.closing.wait()
                exchange.drop()
            case "drop":
                exchange.drop()
            case "cut":
                exchange.send(self.dialect.answer(request, Turn(), talk.digest), cut=True)
            case "no_json":
                exchange.send(Reply(200, b"<html>Be right back.</html>", "text/html"))
            case "endless":
                exchange.send_endless()
            case "compressed":
                exchange.send(Reply(200, gzip.compress(bytes(COMPRESSED)), encoding="gzip"))
            case _:
                exchange.send(self.dialect.fail(request, trouble))


@contextmanager
def serve(dialect: Dialect, script: Script) -> Iterator[Server]:
    """Serve the script until the block ends."""
    server = Server(dialect, script)
    with listen(server.reply) as address:
        server.url = address + dialect.url_path
        try:
            yield server
        finally:
            server.closing.set()
    if server.faults:
        raise server.faults[0]
