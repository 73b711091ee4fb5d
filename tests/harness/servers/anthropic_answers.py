"""What Anthropic's Messages answer: a message of signed blocks, in the pieces of a stream."""

import json
from collections.abc import Iterator
from typing import Any

from tests.harness.servers.conversation import Block, Say, Think, Turn, Use
from tests.harness.servers.handed_out import json_object

MODEL = "claude-opus-5-5"  # of the models that bind thinking to the beginning it was thought behind


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
            return form | {"text": ""}, [{"type": "text_delta", "text": part} for part in halves(form["text"])]
        case "thinking":
            thought = [{"type": "thinking_delta", "thinking": part} for part in halves(form["thinking"])]
            signature = {"type": "signature_delta", "signature": form["signature"]}
            return form | {"thinking": "", "signature": ""}, [*thought, signature]
        case "tool_use":
            assert isinstance(block, Use)
            text = block.arguments if isinstance(block.arguments, str) else json.dumps(block.arguments)
            deltas = [{"type": "input_json_delta", "partial_json": part} for part in halves(text)]
            return form | {"input": {}}, deltas
    return form, []


def halves(text: str) -> list[str]:
    middle = len(text) // 2
    return [part for part in (text[:middle], text[middle:]) if part]


def event(name: str, data: dict[str, Any]) -> bytes:
    return f"event: {name}\ndata: {json.dumps(data)}\n\n".encode()
