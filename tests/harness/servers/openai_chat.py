"""OpenAI's chat completions, as served by many: every call answered, and readable reasoning beside the content."""

import json
from collections.abc import Mapping
from typing import Any

from tests.harness.servers.conversation import KEY, Refused, Talk, Trouble, Turn, Use, require
from tests.harness.servers.handed_out import Entry, HandedOut, json_object
from tests.harness.servers.listening import Reply, json_reply
from tests.harness.servers.wire import STATUS

MODEL = "scripted"
CODES = {401: "invalid_api_key", 404: "model_not_found", 429: "rate_limit_exceeded"}


class OpenAIErrors:
    """The form of errors, which both of OpenAI's protocols share."""

    filtered = "content_filter"

    def refuse(self, refused: Refused) -> Reply:
        return json_reply(refused.status, error(str(refused), CODES.get(refused.status)))

    def fail(self, request: dict[str, Any], trouble: Trouble) -> Reply:
        codes: dict[Trouble, str] = {"overflow": "context_length_exceeded", "filtered": self.filtered}
        return json_reply(STATUS[trouble], error(f"injected {trouble}", codes.get(trouble, CODES.get(STATUS[trouble]))))


class OpenAIChat(OpenAIErrors):
    agent = f"openai-api/loopback/{MODEL}"
    key_variable = "LOOPBACK_API_KEY"
    url_path = "/v1"

    def __init__(self) -> None:
        self.handed = HandedOut()

    def admit(self, path: str, headers: Mapping[str, str], request: dict[str, Any]) -> None:
        admit(f"{self.url_path}/chat/completions", MODEL, path, headers, request)

    def read(self, request: dict[str, Any]) -> Talk:
        require(not request.get("stream"), "stream", "this server does not stream")
        system, *messages = request["messages"]
        if system["role"] != "system":
            messages, system = request["messages"], {"content": ""}
        opening = [system["content"], request.get("tools")]
        return self.handed.understand(system["content"], opening, map(entry_of, messages))

    def answer(self, request: dict[str, Any], turn: Turn, origin: str) -> Reply:
        told = completion(turn, origin)
        self.handed.keep(origin, contents_of(told["choices"][0]["message"]))
        return json_reply(200, told)

    def fail(self, request: dict[str, Any], trouble: Trouble) -> Reply:
        if trouble == "error_body":
            failed = {"message": "The model is overloaded", "type": "server_error", "code": 503}
            return json_reply(200, {"error": failed})
        return super().fail(request, trouble)


def entry_of(message: dict[str, Any]) -> Entry:
    where, said = message["role"], (message["content"] or "",)
    if where == "tool":
        return Entry(where, "results", said, message, [message["tool_call_id"]])
    if where == "user":
        return Entry(where, "user", said, message)
    require(where == "assistant", where, "is no role here")
    calls = message.get("tool_calls") or []
    require(calls or message.get("content") is not None, where, "an assistant message has content or calls a tool")
    for call in calls:
        given = json_object(call["function"]["arguments"])
        require(given is not None, where, f"the arguments of {call['id']} are no JSON object")
    names = [call["id"] for call in calls]
    return Entry(where, "model", said, message, names, contents_of(message), names)


def admit(expected: str, model: str, path: str, headers: Mapping[str, str], request: dict[str, Any]) -> None:
    if path != expected:
        raise Refused("", f"no such path {path}", 404)
    if headers.get("authorization") != f"Bearer {KEY}":
        raise Refused("", "Incorrect API key provided", 401)
    if request["model"] != model:
        raise Refused("", f"The model {request['model']} does not exist", 404)


def error(message: str, code: str | None) -> dict[str, Any]:
    return {"error": {"message": message, "type": "invalid_request_error", "param": None, "code": code}}


def contents_of(message: dict[str, Any]) -> list[list[Any]]:
    """A turn is known by the ids of its calls; its words come back with space around them, which says nothing."""
    said = [["thinking", message.get("reasoning_content") or ""], ["text", (message.get("content") or "").strip()]]
    calls = [(call["id"], call["function"]) for call in message.get("tool_calls") or []]
    return [*said, *(["use", name, made["name"], json_object(made["arguments"])] for name, made in calls)]


def completion(turn: Turn, origin: str) -> dict[str, Any]:
    calls = [call_form(use, f"{origin}_{index}") for index, use in enumerate(turn.uses)]
    finish = {"length": "length", "refusal": "content_filter"}.get(turn.stop, "tool_calls" if turn.uses else "stop")
    return chat_answer(f"chatcmpl-{origin}", turn.said, calls, turn.thought, finish)


def chat_answer(name: str, text: str, calls: list[Any], thought: str, finish: str) -> dict[str, Any]:
    message: dict[str, Any] = {"role": "assistant", "content": text or None}
    optional = {"tool_calls": calls, "reasoning_content": thought}
    message |= {field: value for field, value in optional.items() if value}
    return {
        "id": name,
        "object": "chat.completion",
        "created": 0,
        "model": MODEL,
        "choices": [{"index": 0, "message": message, "finish_reason": finish}],
        "usage": {
            "prompt_tokens": 1_000,
            "completion_tokens": 50,
            "total_tokens": 1_050,
            "prompt_tokens_details": {"cached_tokens": 400},
            "completion_tokens_details": {"reasoning_tokens": 20},
        },
    }


def call_form(use: Use, name: str) -> dict[str, Any]:
    arguments = use.arguments if isinstance(use.arguments, str) else json.dumps(use.arguments)
    return {"id": f"call_{name}", "type": "function", "function": {"name": use.name, "arguments": arguments}}
