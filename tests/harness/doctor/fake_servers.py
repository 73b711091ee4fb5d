"""What llama.cpp, vLLM, Ollama, LM Studio and others say about themselves, and models that are asked to make calls."""

from collections.abc import Mapping
from contextlib import AbstractContextManager
from dataclasses import replace
from typing import Any

from tests.harness.provider import MODEL, Fault, Provider, Script, Turn, listed, serve
from tests.harness.servers.openai_chat import OpenAIChat

from ecbench.harness.context import SCHEMAS
from ecbench.harness.tokens import count_text

NAME = OpenAIChat.agent
LLAMA = listed(owned_by="llamacpp", meta={"n_ctx_train": 131_072}) | {
    "/props": {"default_generation_settings": {"n_ctx": 32_768}, "total_slots": 1}
}
VLLM = listed(owned_by="vllm", max_model_len=131_072)
OLLAMA = listed(owned_by="library") | {
    "/api/ps": {"models": [{"name": f"{MODEL}:latest", "context_length": 40_960}]},
}
LM_STUDIO = listed(owned_by="organization_owner") | {
    "/api/v0/models": {"data": [{"id": MODEL, "max_context_length": 262_144, "loaded_context_length": 65_536}]}
}
ROUTER = listed(context_length=64_000)


def one_call(_request: Mapping[str, Any]) -> Turn:
    return Turn(calls=(("list_products", {"category": "tea"}),))


def obedient(request: Mapping[str, Any]) -> Turn:
    """Does what it is asked: one call, and then two."""
    pair = "both of them" in request["messages"][-1]["content"]
    return Turn(calls=(("check_balance", {}), ("check_warehouse", {}))) if pair else one_call(request)


def words(_request: Mapping[str, Any]) -> Turn:
    return Turn("I would look at the tea first.")


def json_error(status: int, message: str) -> Script:
    return lambda _request: Fault(status=status, body={"error": {"message": message}})


def serving(
    script: Script = obedient,
    pages: Mapping[str, Any] | None = None,
    *,
    window: int | None = None,
    cached: int = 0,
) -> AbstractContextManager[Provider]:
    """A server that counts tokens as we do; a request that is longer than a window is cut to it without an error."""

    def counted(request: dict[str, Any]) -> Turn | Fault:
        said, messages = script(request), request["messages"]
        size = sum(count_text(str(message.get("content"))) for message in messages) + SCHEMAS
        if isinstance(said, Fault):
            return said
        return replace(said, read=min(size, window or size), cached=cached if len(messages) > 2 else 0)

    return serve(counted, pages or {})
