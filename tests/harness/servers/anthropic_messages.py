"""Anthropic's Messages: blocks in their order, thinking signed, and results first."""

from collections.abc import Iterator, Mapping
from typing import Any

from tests.harness.servers.anthropic_answers import MODEL, event, events, message_of
from tests.harness.servers.conversation import KEY, Refused, Talk, Trouble, Turn, require
from tests.harness.servers.handed_out import Entry, HandedOut
from tests.harness.servers.listening import Reply, json_reply
from tests.harness.servers.wire import STATUS

FIELDS = {"cache_control", "max_tokens", "messages", "model", "output_config", "stream", "system", "thinking"}
TOOL_FIELDS = {"tool_choice", "tools"}
BLOCK_FIELDS = {
    "text": {"type", "text", "cache_control"},
    "thinking": {"type", "thinking", "signature"},
    "redacted_thinking": {"type", "data"},
    "tool_use": {"type", "id", "name", "input", "cache_control"},
    "tool_result": {"type", "tool_use_id", "content", "is_error", "cache_control"},
}
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
        unknown = sorted(request.keys() - FIELDS - TOOL_FIELDS)
        require(not unknown, ", ".join(unknown), "Extra inputs are not permitted")
        require(request.get("stream"), "stream", "this server only streams")
        longest = request.get("max_tokens")
        require(isinstance(longest, int) and longest > 0, "max_tokens", "Field required, at least 1")
        messages = request.get("messages")
        require(messages, "messages", "at least one message is required")
        system = "\n".join(block["text"] for block in blocks_of("system", request.get("system") or []))
        opening = uncached([request.get("system"), request.get("tools")])
        talk = self.handed.understand(system, opening, entries_of(messages or []))
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
    for index, block in enumerate(blocks):
        place = f"{where}.content.{index}"
        fields = BLOCK_FIELDS.get(block["type"])
        require(fields, place, f"{block['type']} is not taken here")
        given = {name for name, value in block.items() if value is not None}
        require(
            given <= (fields or set()), place, f"Extra inputs are not permitted: {sorted(given - (fields or set()))}"
        )
        require(block["type"] != "text" or block["text"].strip(), place, "text content blocks must be non-empty")
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
