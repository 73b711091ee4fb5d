"""A model on loopback that speaks OpenAI's two protocols: it ends three days, and then says that it is done."""

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

DAYS = 3
WAIT = "wait_for_next_day"
CHAT = "/chat/completions"

Json = dict[str, Any]


class Answering(BaseHTTPRequestHandler):
    """One request to the model."""

    protocol_version = "HTTP/1.1"
    server: "Model"

    def log_message(self, format: str, *args: Any) -> None:
        """Keep the output quiet."""

    def do_POST(self) -> None:
        asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        call = self.server.next_call(asked)
        answer = chat(asked, call) if self.path.endswith(CHAT) else response(asked, call)
        body = json.dumps(answer).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)


class Model(ThreadingHTTPServer):
    """Calls one tool a request, until its days are over."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Answering)
        self.waits = 0

    def next_call(self, asked: Json) -> Json | None:
        """The name and the arguments of the next call; None to end with words."""
        tools = {tool.get("name") or tool["function"]["name"] for tool in asked.get("tools") or ()}
        assert WAIT in tools, f"the tools of the year are not offered, only {sorted(tools)}"
        assert "runs an e-commerce business" in json.dumps(asked), "the job is not in the conversation"
        self.waits += 1
        if self.waits <= DAYS:
            return {"name": WAIT, "arguments": "{}"}
        return {"name": "final_answer", "arguments": '{"answer": "Done."}'} if "final_answer" in tools else None


def chat(asked: Json, call: Json | None) -> Json:
    """An answer of the chat completions."""
    message: Json = {"role": "assistant", "content": None if call else "Done."}
    if call:
        message["tool_calls"] = [{"id": f"call_{len(asked['messages'])}", "type": "function", "function": call}]
    choice = {"index": 0, "message": message, "finish_reason": "tool_calls" if call else "stop"}
    usage = {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2}
    fixed = {"id": "c", "object": "chat.completion", "created": 0, "model": asked["model"]}
    return fixed | {"choices": [choice], "usage": usage}


def response(asked: Json, call: Json | None) -> Json:
    """An answer of the Responses API."""
    number, words = len(asked["input"]), {"type": "output_text", "text": "Done.", "annotations": []}
    said = {"type": "message", "id": f"m{number}", "role": "assistant", "content": [words]}
    made = {"type": "function_call", "id": f"f{number}", "call_id": f"call_{number}", **(call or {})}
    tokens = {"input_tokens": 1, "output_tokens": 1, "total_tokens": 2}
    details = {"input_tokens_details": {"cached_tokens": 0}, "output_tokens_details": {"reasoning_tokens": 0}}
    fixed = {"id": "r", "object": "response", "created_at": 0, "status": "completed", "error": None}
    options = {"parallel_tool_calls": True, "tool_choice": "auto", "tools": [], "model": asked["model"]}
    output = {**(made if call else said), "status": "completed"}
    return {**fixed, **options, "output": [output], "usage": tokens | details}


@contextmanager
def serving() -> Iterator[str]:
    """The address of the model, until the block ends."""
    with Model() as model:
        thread = threading.Thread(target=model.serve_forever, kwargs={"poll_interval": 0.05})
        thread.start()
        try:
            yield f"http://127.0.0.1:{model.server_address[1]}/v1"
        finally:
            model.shutdown()
            thread.join()
