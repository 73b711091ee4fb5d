"""Servers on loopback that describe themselves as llama.cpp, vLLM, Ollama, LM Studio and others do."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from tests.harness.servers.listening import Exchange, Reply, json_reply, listen
from tests.harness.servers.openai_chat import chat_answer

from ecbench.harness.tokens import count_text

MODEL = "loopback-7b"
NAME = f"openai-api/loopback/{MODEL}"
Call = tuple[str, str]  # a tool and its arguments as text


def listed(**entry: Any) -> dict[str, Any]:
    return {"/v1/models": {"object": "list", "data": [{"id": MODEL, "object": "model", **entry}]}}


LLAMA = listed(owned_by="llamacpp", meta={"n_ctx_train": 131_072, "n_ctx": 16_384}) | {
    "/props": {"default_generation_settings": {"n_ctx": 32_768}, "total_slots": 1}
}
VLLM = listed(owned_by="vllm", max_model_len=131_072)
OLLAMA = listed(owned_by="library") | {
    "/api/version": {"version": "0.12.0"},
    "/api/ps": {"models": [{"name": f"{MODEL}:latest", "context_length": 40_960}]},
}
LM_STUDIO = listed() | {
    "/api/v0/models": {"data": [{"id": MODEL, "max_context_length": 262_144, "loaded_context_length": 65_536}]}
}
ROUTER = listed(context_length=200_000, top_provider={"context_length": 64_000})


def one_call(_request: Mapping[str, Any]) -> list[Call]:
    return [("list_products", '{"category": "tea"}')]


def obedient(request: Mapping[str, Any]) -> list[Call] | str:
    """Does what it is asked: one call, and then two."""
    pair = "both of them" in request["messages"][-1]["content"]
    return [("check_balance", "{}"), ("check_warehouse", "{}")] if pair else one_call(request)


def words(_request: Mapping[str, Any]) -> str:
    return "I would look at the tea first."


Script = Callable[[Mapping[str, Any]], list[Call] | str | Reply]


@dataclass
class FakeServer:
    """Answers chat completions by its script, and other pages from a table. Tokens are counted as ours."""

    script: Script = obedient
    pages: Mapping[str, Any] = field(default_factory=dict)
    window: int | None = None  # beyond which a request fails; what the pages say may differ
    cuts: bool = False  # a request that is too long is cut to the window without an error
    breaks: bool = False  # the connection ends in the middle of each answer
    tool_tokens: int = 2_800  # of the tools in a request
    cached: int = 0
    requests: list[dict[str, Any]] = field(default_factory=list)
    url: str = ""

    def reply(self, exchange: Exchange) -> None:
        if exchange.path != "/v1/chat/completions":
            page = self.pages.get(exchange.path)
            exchange.send(json_reply(200, page) if page else json_reply(404, {"error": "no such page"}))
            return
        request = exchange.asked()
        self.requests.append(request)
        size = sum(count_text(str(message.get("content"))) for message in request["messages"])
        size += self.tool_tokens
        if self.window and size > self.window and not self.cuts:
            limit = f"This model's maximum context length is {self.window} tokens. Your messages have {size} tokens."
            exchange.send(json_reply(400, {"error": {"message": limit, "code": "context_length_exceeded"}}))
            return
        said = self.script(request)
        size = min(size, self.window) if self.window else size
        answer = said if isinstance(said, Reply) else json_reply(200, self._completion(said, size))
        exchange.send(answer, cut=self.breaks)

    def _completion(self, said: list[Call] | str, size: int) -> dict[str, Any]:
        text, made = (said, []) if isinstance(said, str) else ("", said)
        calls = [
            {"id": f"call_{number}", "type": "function", "function": {"name": name, "arguments": arguments}}
            for number, (name, arguments) in enumerate(made)
        ]
        cached = {"cached_tokens": self.cached if len(self.requests) > 1 else 0}
        usage = {"prompt_tokens": size, "completion_tokens": 50, "total_tokens": size + 50}
        answer = chat_answer("chatcmpl-1", text, calls, "", "stop")
        return answer | {"model": MODEL, "usage": usage | {"prompt_tokens_details": cached}}


@contextmanager
def serving(server: FakeServer) -> Iterator[FakeServer]:
    with listen(server.reply) as address:
        server.url = f"{address}/v1"
        yield server


def json_error(status: int, message: str) -> Script:
    return lambda _request: json_reply(status, {"error": {"message": message}})
