"""OpenAI's Responses: the items of a turn together and unchanged, reasoning signed in its encrypted content."""

import json
from collections.abc import Iterator, Mapping
from itertools import groupby
from typing import Any

from tests.harness.servers.conversation import Block, Say, Talk, Think, Trouble, Turn, Use, require
from tests.harness.servers.handed_out import Entry, HandedOut, json_object
from tests.harness.servers.listening import Reply, json_reply
from tests.harness.servers.openai_chat import OpenAIErrors, admit

MODEL = "gpt-5.5"
ENCRYPTED = "reasoning.encrypted_content"


class OpenAIResponses(OpenAIErrors):
    """It stores nothing, and knows its items again by what they carry."""

    agent = f"openai/{MODEL}"
    key_variable = "OPENAI_API_KEY"
    url_path = "/v1"
    filtered = "invalid_prompt"

    def __init__(self) -> None:
        self.handed = HandedOut()

    def admit(self, path: str, headers: Mapping[str, str], request: dict[str, Any]) -> None:
        admit(f"{self.url_path}/responses", MODEL, path, headers, request)

    def read(self, request: dict[str, Any]) -> Talk:
        require(not request.get("stream"), "stream", "this server does not stream")
        require(request.get("store") is False, "store", "this server stores nothing")
        require("previous_response_id" not in request, "previous_response_id", "send the conversation")
        items = items_of(request)
        opening = [item for item in items if item.get("role") in ("developer", "system")]
        spoken = [item for item in items if item not in opening]
        system = "".join(map(words, opening))
        return self.handed.understand(system, [request.get("tools"), *opening], entries_of(spoken))

    def answer(self, request: dict[str, Any], turn: Turn, origin: str) -> Reply:
        told = response(request, turn, origin)
        self.handed.keep(origin, list(map(content_of, told["output"])))
        return json_reply(200, told)

    def fail(self, request: dict[str, Any], trouble: Trouble) -> Reply:
        if trouble == "error_body":
            failed = {"code": "server_error", "message": "injected error_body"}
            return json_reply(200, response(request, Turn(), "") | {"status": "failed", "error": failed})
        return super().fail(request, trouble)


def entries_of(items: list[dict[str, Any]]) -> Iterator[Entry]:
    """The items of a turn stand together."""
    for mine, group in groupby(items, key=is_models):
        if mine:
            yield turn_entry(list(group))
        for item in () if mine else group:
            if item["type"] == "function_call_output":
                yield Entry(item["call_id"], "results", (item["output"],), item, [item["call_id"]])
            else:
                yield Entry("input", "user", (words(item),), item)


def is_models(item: dict[str, Any]) -> bool:
    return item["type"] != "function_call_output" and item.get("role") in (None, "assistant")


def turn_entry(items: list[dict[str, Any]]) -> Entry:
    last, names = items[-1], [item.get("id") or "" for item in items]
    require(last["type"] != "reasoning", "input", f"{last['id']} was given without the item that must follow it")
    for item in items:
        sealed = item["type"] != "reasoning" or item.get("encrypted_content")
        require(sealed, "input", "the encrypted content could not be verified")
    texts = tuple(words(each) for each in items if each["type"] == "message")
    calls = [each["call_id"] for each in items if each["type"] == "function_call"]
    return Entry("input", "model", texts, items, calls, list(map(content_of, items)), names)


def items_of(request: dict[str, Any]) -> list[dict[str, Any]]:
    given = request["input"]
    if isinstance(given, str):
        return [{"type": "message", "role": "user", "content": [{"type": "input_text", "text": given}]}]
    return [{"type": "message", **item} for item in given]


def words(item: dict[str, Any]) -> str:
    content = item["content"]
    return content if isinstance(content, str) else "".join(part["text"] for part in content)


def content_of(item: dict[str, Any]) -> list[Any]:
    match item["type"]:
        case "reasoning":
            return ["thinking", item["id"], item.get("encrypted_content")]
        case "message":
            return ["text", item["id"], words(item), item.get("phase")]
        case _:
            return ["use", item["id"], item["call_id"], item["name"], json_object(item["arguments"])]


def blocks_of(turn: Turn) -> list[Block]:
    """Reasoning comes first and once, then words, then calls."""
    thought = [Think(turn.thought)] if turn.thought else []
    said = [Say(turn.said)] if turn.said else []
    return [*thought, *said, *turn.uses]


def response(request: dict[str, Any], turn: Turn, origin: str) -> dict[str, Any]:
    forms = [item_form(block, turn) for block in blocks_of(turn)]
    for index, form in enumerate(forms):
        form["id"] = f"{form['id']}_{origin}_{index}"
        if form["type"] == "function_call":
            form["call_id"] = f"call_{origin}_{index}"
        if form["type"] == "reasoning" and ENCRYPTED in request.get("include", []):
            form["encrypted_content"] = f"sealed thoughts {origin}"
    incomplete = {"length": "max_output_tokens", "refusal": "content_filter"}.get(turn.stop)
    return {
        "id": f"resp_{origin}",
        "object": "response",
        "created_at": 0,
        "model": MODEL,
        "status": "incomplete" if incomplete else "completed",
        "error": None,
        "incomplete_details": {"reason": incomplete} if incomplete else None,
        "output": forms,
        "parallel_tool_calls": True,
        "tool_choice": "auto",
        "tools": [],
        "usage": {
            "input_tokens": 1_000,
            "input_tokens_details": {"cached_tokens": 400},
            "output_tokens": 50,
            "output_tokens_details": {"reasoning_tokens": 20},
            "total_tokens": 1_050,
        },
    }


def item_form(block: Block, turn: Turn) -> dict[str, Any]:
    match block:
        case Think(text):
            return {"type": "reasoning", "id": "rs", "summary": [{"type": "summary_text", "text": text}]}
        case Say(text):
            said = [{"type": "output_text", "text": text, "annotations": []}]
            phase = "commentary" if turn.uses else "final_answer"
            form = {"type": "message", "id": "msg", "role": "assistant", "status": "completed"}
            return form | {"content": said, "phase": phase}
        case Use(name, arguments):
            given = arguments if isinstance(arguments, str) else json.dumps(arguments, separators=(",", ":"))
            return {"type": "function_call", "id": "fc", "name": name, "arguments": given, "status": "completed"}
