"""A model without delay: the calls of its turns fill a window and never end the year. As an object, and over HTTP."""

import itertools
import json
import time
from collections.abc import Sequence
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from ecbench.harness.messages import Answer, Call, Message

BATCH: tuple[tuple[str, dict[str, Any]], ...] = (
    ("check_store_status", {}),
    ("list_products", {"category": "Kitchenware"}),
    ("supplier_search", {"category": "Kitchenware"}),
    ("check_balance", {}),
    ("wait_for_next_day", {"current_day": 0}),
)
TEXT = "Another day, another look at the shelves."


class InstantModel:
    """Answers every question at once with the same batch."""

    def __init__(self) -> None:
        self.answered = 0

    async def answer(self, _messages: Sequence[Message]) -> Answer:
        self.answered += 1
        calls = tuple(Call(f"call_{self.answered}_{place}", name, given) for place, (name, given) in enumerate(BATCH))
        return Answer(Message("assistant", TEXT, calls=calls))


def completion_server(seconds: float = 0.0) -> ThreadingHTTPServer:
    """A server on loopback that answers every completion request with the batch, after this delay."""
    numbers = itertools.count()

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def log_message(self, format: str, *args: Any) -> None:
            """Requests are not worth a line each."""

        def do_POST(self) -> None:
            self.rfile.read(int(self.headers["Content-Length"]))
            time.sleep(seconds)
            body = json.dumps(_completion(next(numbers))).encode()
            self.send_response(200)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    return server


def _completion(number: int) -> dict[str, Any]:
    calls = [
        {"id": f"call_{number}_{i}", "type": "function", "function": {"name": name, "arguments": json.dumps(given)}}
        for i, (name, given) in enumerate(BATCH)
    ]
    return {
        "id": f"chatcmpl-{number}",
        "object": "chat.completion",
        "created": 0,
        "model": "instant",
        "choices": [
            {
                "index": 0,
                "message": {"role": "assistant", "content": TEXT, "tool_calls": calls},
                "finish_reason": "tool_calls",
            }
        ],
        "usage": {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2},
    }
