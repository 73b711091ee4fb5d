"""OpenAI's Responses: the items of a turn together and unchanged, reasoning signed in its encrypted content."""

import json
from collections.abc import Mapping
from typing import Any

from tests.harness.servers.conversation import Block, Heard, Say, Talk, Think, Trouble, Turn, Use, require
from tests.harness.servers.handed_out import Beginning, HandedOut, json_object
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
        system = "".join(words(item) for item in items if item.get("role") in ("developer", "system"))
        beginning = Beginning(request.get("tools"))
        heard: list[Heard] = []
        open_calls: list[str] = []
        displaced = 0
        index = 0
        while index < len(items):
            where, item = f"input[{index}]", items[index]
            run = turn_items(items[index:])
            if run:
                require(not open_calls, where, f"no output for the calls {open_calls}")
                origin = self._check_items(where, run)
                displaced += origin not in ("", beginning.digest)
                open_calls = [each["call_id"] for each in run if each["type"] == "function_call"]
                heard.append(Heard("model", tuple(words(each) for each in run if each["type"] == "message")))
                heard += [Heard("results", ())] if open_calls else []
            elif item["type"] == "function_call_output":
                asked = open_calls[0] if open_calls else None
                require(item["call_id"] == asked, where, f"the next call without an output is {asked}")
                open_calls.pop(0)
                heard[-1] = Heard("results", (*heard[-1].texts, item["output"]))
            else:
                require(not open_calls, where, f"no output for the calls {open_calls}")
                if item["role"] == "user":
                    heard.append(Heard("user", (words(item),)))
            for each in run or [item]:
                beginning.add(each)
            index += len(run) or 1
        require(not open_calls, "input", f"no output for the calls {open_calls}")
        return Talk(system, tuple(heard), displaced, beginning.digest)

    def answer(self, request: dict[str, Any], turn: Turn, origin: str) -> Reply:
        told = response(request, turn, origin)
        self.handed.keep(origin, list(map(content_of, told["output"])))
        return json_reply(200, told)

    def fail(self, request: dict[str, Any], trouble: Trouble) -> Reply:
        if trouble == "error_body":
            failed = {"code": "server_error", "message": "injected error_body"}
            return json_reply(200, response(request, Turn(), "") | {"status": "failed", "error": failed})
        return super().fail(request, trouble)

    def _check_items(self, where: str, items: list[dict[str, Any]]) -> str:
        last = items[-1]
        require(last["type"] != "reasoning", where, f"{last['id']} was given without the item that must follow it")
        for item in items:
            sealed = item["type"] != "reasoning" or item.get("encrypted_content")
            require(sealed, where, "the encrypted content could not be verified")
        return self.handed.check(where, list(map(content_of, items)), [item.get("id") or "" for item in items])


def items_of(request: dict[str, Any]) -> list[dict[str, Any]]:
    given = request["input"]
    if isinstance(given, str):
        return [{"type": "message", "role": "user", "content": [{"type": "input_text", "text": given}]}]
    return [{"type": "message", **item} for item in given]


def words(item: dict[str, Any]) -> str:
    content = item["content"]
    return content if isinstance(content, str) else "".join(part["text"] for part in content)


def turn_items(items: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The items at the front that are the model's, up to the next turn's."""
    run: list[dict[str, Any]] = []
    for item in items:
        if item["type"] == "function_call_output" or item.get("role", "assistant") != "assistant":
            break
        run.append(item)
    return run


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
