"""A small OpenAI-compatible server on loopback, whose model is a function of the request."""

import json
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

KEY = "loopback-key"
MODEL = "scripted"


@dataclass(frozen=True)
class Turn:
    """What the model says: text, calls as (name, arguments), where arguments may be any text, and reasoning."""

    text: str = ""
    calls: tuple[tuple[str, dict[str, Any] | str], ...] = ()
    reasoning: str = ""
    finish: str = ""
    delay: float = 0.0


@dataclass(frozen=True)
class Fault:
    """What a bad day looks like: an HTTP status, a body, a dropped connection, or an answer that comes too late."""

    status: int = 0
    drop: bool = False
    delay: float = 0.0
    body: dict[str, Any] | None = None
    retry_after: float = 0.0


Script = Callable[[dict[str, Any]], Turn | Fault]


@dataclass
class Provider:
    """The server's address and everything it was asked."""

    url: str
    requests: list[dict[str, Any]] = field(default_factory=list)
    answered: int = 0
    most_at_once: int = 0


@contextmanager
def serve(script: Script, window: int | None = None) -> Iterator[Provider]:
    """Serve the script until the block ends; requests are answered in the order in which they arrive.

    With `window` the list of models says how many tokens the model holds, as some servers do.
    """
    turn = threading.Lock()
    under_way: set[int] = set()

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def log_message(self, format: str, *args: Any) -> None:
            """Keep the test output quiet."""

        def do_GET(self) -> None:
            listed = {"id": MODEL, "object": "model", "created": 0, "owned_by": "us", "max_model_len": window}
            self.send(200 if window else 404, {"object": "list", "data": [listed]} if window else {})

        def do_POST(self) -> None:
            request = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            refusal = refuse(self.path, self.headers.get("Authorization", ""), request)
            if refusal is not None:
                self.send(*refusal)
                return
            with turn:
                provider.requests.append(request)
                under_way.add(threading.get_ident())
                provider.most_at_once = max(provider.most_at_once, len(under_way))
                said = script(request)
                if isinstance(said, Turn):
                    provider.answered += 1
                    number = provider.answered
            time.sleep(said.delay)
            with turn:
                under_way.discard(threading.get_ident())
            if isinstance(said, Turn):
                self.send(200, completion(said, number))
            elif said.status or said.body is not None:
                injected = {"error": {"message": f"injected {said.status}", "type": "injected"}}
                body = injected if said.body is None else said.body
                self.send(said.status or 200, body, said.retry_after)
            else:
                self.close_connection = True

        def send(self, status: int, body: dict[str, Any], retry_after: float = 0.0) -> None:
            data = json.dumps(body).encode()
            self.send_response(status)
            if retry_after:
                self.send_header("Retry-After", f"{retry_after}")
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            with suppress(ConnectionError):  # whoever asked may be gone
                self.wfile.write(data)

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    provider = Provider(f"http://127.0.0.1:{server.server_address[1]}/v1")
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    try:
        yield provider
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def refuse(path: str, authorization: str, request: dict[str, Any]) -> tuple[int, dict[str, Any]] | None:
    """The error a real provider would give for a wrong address, key or model."""
    if path != "/v1/chat/completions":
        return 404, {"error": {"message": f"no such path {path}"}}
    if authorization != f"Bearer {KEY}":
        return 401, {"error": {"message": "Incorrect API key provided", "code": "invalid_api_key"}}
    if request["model"] != MODEL:
        message = f"The model {request['model']} does not exist"
        return 404, {"error": {"message": message, "code": "model_not_found"}}
    return None


def completion(turn: Turn, number: int) -> dict[str, Any]:
    calls = [
        {
            "id": f"call_{number}_{index}",
            "type": "function",
            "function": {"name": name, "arguments": given if isinstance(given, str) else json.dumps(given)},
        }
        for index, (name, given) in enumerate(turn.calls)
    ]
    message: dict[str, Any] = {"role": "assistant", "content": turn.text or None}
    if calls:
        message["tool_calls"] = calls
    if turn.reasoning:
        message["reasoning_content"] = turn.reasoning
    return {
        "id": f"chatcmpl-{number}",
        "object": "chat.completion",
        "created": 0,
        "model": MODEL,
        "choices": [
            {"index": 0, "message": message, "finish_reason": turn.finish or ("tool_calls" if calls else "stop")}
        ],
        "usage": {
            "prompt_tokens": 1_000,
            "completion_tokens": 50,
            "total_tokens": 1_050,
            "prompt_tokens_details": {"cached_tokens": 400},
            "completion_tokens_details": {"reasoning_tokens": 20},
        },
    }
