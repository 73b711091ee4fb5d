"""Anthropic's Messages: blocks in their order, thinking signed, and results first."""

import json
from collections.abc import Iterator, Mapping
from typing import Any

from tests.harness.servers.conversation import KEY, Block, Refused, Say, Talk, Think, Trouble, Turn, Use, require
from tests.harness.servers.handed_out import Entry, HandedOut, json_object
from tests.harness.servers.listening import Reply, json_reply
from tests.harness.servers.wire import STATUS

MODEL = "claude-opus-5-5"  # of the models that bind thinking to the beginning it was thought behind
ERRORS = {
    400: "invalid_request_error",
    401: "authentication_error",
    404: "not_found_error",
    429: "rate_limit_error",
    500: "api_error",
    503: "overloaded_error",
}


class AnthropicMessages:
    agent = f"anthropic/{MODEL}"
    key_variable = "ANTHROPIC_API_KEY"
    url_path = ""
    written = 0

    def __init__(self) -> None:
        self.handed = HandedOut()

    def admit(self, path: str, headers: Mapping[str, str], request: dict[str, Any]) -> None:
        if path != "/v1/messages":
            raise Refused("", f"no such path {path}", 404)
        if KEY not in (headers.get("x-api-key"), headers.get("authorization", "").removeprefix("Bearer ")):
            raise Refused("", "invalid x-api-key", 401)
        require("anthropic-version" in headers, "anthropic-version", "header is required")
        if request.get("model") != MODEL:
            raise Refused("", f"model: {request.get('model')}", 404)

    def read(self, request: dict[str, Any]) -> Talk:
        require(request.get("stream"), "stream", "this server only streams")
        require(request.get("max_tokens"), "max_tokens", "Field required, at least 1")
        system = "\n".join(block["text"] for block in blocks_of("system", request.get("system") or []))
        opening = uncached([request.get("system"), request.get("tools")])
        talk = self.handed.understand(system, opening, entries_of(request["messages"]))
        drops = request.get("thinking", {}).get("block_binding", {}).get("prefix_mismatch_behavior") == "drop_block"
        moved = "thinking stands behind another beginning than it was thought behind"
        require(not talk.displaced or drops, "messages", moved)
        return talk

    def answer(self, request: dict[str, Any], turn: Turn, origin: str) -> Reply:
        message = message_of(turn, origin, self.written)
        self.handed.keep(origin, list(map(content_of, message["content"])))
        return Reply(200, b"".join(events(message, turn)), "text/event-stream")

    def refuse(self, refused: Refused) -> Reply:
        return json_reply(refused.status, error(ERRORS[refused.status], str(refused)))

    def fail(self, request: dict[str, Any], trouble: Trouble) -> Reply:
        said = {
            "overflow": "prompt is too long: 250000 tokens > 200000 maximum",
            "filtered": "Output blocked by content filtering policy",
        }
        status = STATUS[trouble]
        if trouble == "error_body":
            return Reply(200, event("error", error("overloaded_error", "Overloaded")), "text/event-stream")
        return json_reply(status, error(ERRORS[status], said.get(trouble, f"injected {trouble}")))


def error(kind: str, text: str) -> dict[str, Any]:
    return {"type": "error", "error": {"type": kind, "message": text}, "request_id": "req_loopback"}


def uncached(value: Any) -> Any:
    """Without the cache marks, which move with every request and change nothing of what is said."""
    if isinstance(value, dict):
        return {name: uncached(each) for name, each in value.items() if name != "cache_control"}
    return [uncached(each) for each in value] if isinstance(value, list) else value


def blocks_of(where: str, content: str | list[dict[str, Any]]) -> list[dict[str, Any]]:
    blocks = [{"type": "text", "text": content}] if isinstance(content, str) else content
    for block in blocks:
        require(block["type"] != "text" or block["text"].strip(), where, "text content blocks must be non-empty")
    return blocks


def entries_of(messages: list[dict[str, Any]]) -> Iterator[Entry]:
    """Users give results first, then words."""
    for index, message in enumerate(messages):
        where = f"messages.{index}"
        require(message["role"] == ("user", "assistant")[index % 2], where, "user and assistant take turns")
        blocks = uncached(blocks_of(where, message["content"]))
        require(blocks, where, "content must be non-empty")
        if message["role"] == "assistant":
            yield turn_entry(where, blocks)
            continue
        given = [block for block in blocks if block["type"] == "tool_result"]
        words = blocks[len(given) :]
        require(blocks[: len(given)] == given, where, "`tool_result` blocks come first")
        require(all(block["type"] == "text" for block in words), where, "a user says nothing but text and results")
        if given:
            texts = tuple("".join(part["text"] for part in blocks_of(where, block["content"])) for block in given)
            asked = [block["tool_use_id"] for block in given]
            yield Entry(where, "results", texts, given, asked, whole=True)
        for block in words:
            yield Entry(where, "user", (block["text"],), block)


def turn_entry(where: str, blocks: list[dict[str, Any]]) -> Entry:
    last = blocks[-1]["type"]
    require(last not in ("thinking", "redacted_thinking"), where, "the final block cannot be thinking")
    fields = {"thinking": "signature", "redacted_thinking": "data", "tool_use": "id"}
    names = [block[fields[block["type"]]] for block in blocks if block["type"] in fields]
    texts = tuple(block["text"] for block in blocks if block["type"] == "text")
    calls = [block["id"] for block in blocks if block["type"] == "tool_use"]
    return Entry(where, "model", texts, blocks, calls, list(map(content_of, blocks)), names)


def content_of(block: dict[str, Any]) -> list[Any]:
    match block["type"]:
        case "redacted_thinking":
            return ["redacted", block["data"]]
        case "tool_use":
            return ["use", block["id"], block["name"], block["input"]]
        case "thinking":
            return ["thinking", block["thinking"], block["signature"]]
        case _:
            return ["text", block["text"]]


def message_of(turn: Turn, origin: str, written: int = 0) -> dict[str, Any]:
    """`written` are the tokens that the server says it wrote to its cache."""
    stop = {"length": "max_tokens", "refusal": "refusal"}.get(turn.stop, "tool_use" if turn.uses else "end_turn")
    return {
        "id": f"msg_{origin}",
        "type": "message",
        "role": "assistant",
        "model": MODEL,
        "content": [block_form(block, f"{origin}_{index}") for index, block in enumerate(turn.blocks)],
        "stop_reason": stop,
        "stop_sequence": None,
        "usage": {
            "input_tokens": 600,
            "cache_creation_input_tokens": written,
            "cache_read_input_tokens": 400,
            "output_tokens": 50,
            "output_tokens_details": {"thinking_tokens": 20},
        },
    }


def block_form(block: Block, name: str) -> dict[str, Any]:
    match block:
        case Think(text, redacted=True):
            return {"type": "redacted_thinking", "data": f"{name}.{text}"}
        case Think(text):
            return {"type": "thinking", "thinking": text, "signature": f"sig_{name}"}
        case Say(text):
            return {"type": "text", "text": text}
        case Use(tool, arguments):
            return {"type": "tool_use", "id": f"toolu_{name}", "name": tool, "input": json_object(arguments)}


def events(body: dict[str, Any], turn: Turn) -> Iterator[bytes]:
    """The message in pieces; arguments that are no JSON can only come this way."""
    yield event("message_start", {"type": "message_start", "message": body | {"content": [], "stop_reason": None}})
    yield event("ping", {"type": "ping"})
    for index, (block, form) in enumerate(zip(turn.blocks, body["content"], strict=True)):
        opened, deltas = pieces(block, form)
        yield event("content_block_start", {"type": "content_block_start", "index": index, "content_block": opened})
        for delta in deltas:
            yield event("content_block_delta", {"type": "content_block_delta", "index": index, "delta": delta})
        yield event("content_block_stop", {"type": "content_block_stop", "index": index})
    ended = {"stop_reason": body["stop_reason"], "stop_sequence": None}
    yield event("message_delta", {"type": "message_delta", "delta": ended, "usage": body["usage"]})
    yield event("message_stop", {"type": "message_stop"})


def pieces(block: Block, form: dict[str, Any]) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    match form["type"]:
        case "text":
            return form | {"text": ""}, [{"type": "text_delta", "text": form["text"]}]
        case "thinking":
            thought = {"type": "thinking_delta", "thinking": form["thinking"]}
            signature = {"type": "signature_delta", "signature": form["signature"]}
            return form | {"thinking": "", "signature": ""}, [thought, signature]
        case "tool_use":
            assert isinstance(block, Use)
            text = block.arguments if isinstance(block.arguments, str) else json.dumps(block.arguments)
            return form | {"input": {}}, [{"type": "input_json_delta", "partial_json": text}]
    return form, []


def event(name: str, data: dict[str, Any]) -> bytes:
    return f"event: {name}\ndata: {json.dumps(data)}\n\n".encode()
