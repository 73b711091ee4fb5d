"""What a server with OpenAI's protocol says about itself: its program, its models, and the window of a model.

The length that a model was trained with (`n_ctx_train`, Ollama's `context_length`) is not its window.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, NamedTuple

from anyio import move_on_after
from pydantic_ai.models import Model

LIST_SECONDS = 2.0  # for each question about the server; few have an answer to all of them

ServerKind = Literal["llama.cpp", "vLLM", "Ollama", "LM Studio", ""]
"""The program that serves a model; empty where it is not known."""


class ServerProgram(NamedTuple):
    """How a program shows itself, and what to change in it."""

    owner: str  # the field `owned_by` in its list of models
    tools: str  # what to change where a model does not call tools
    window: str = ""  # how to give it a window of {tokens}
    refusal: str = ""  # a pattern in its answer to a request with tools that it does not take


PROGRAMS: Mapping[ServerKind, ServerProgram] = {
    "llama.cpp": ServerProgram(
        "llamacpp",
        "start llama-server with --jinja, and with a model whose chat template has tools",
        "start llama-server with -c {tokens} for each of its slots",
        "--jinja",
    ),
    "vLLM": ServerProgram(
        "vllm",
        "start vLLM with --enable-auto-tool-choice --tool-call-parser NAME, the parser for this model",
        "start vLLM with --max-model-len {tokens}",
        "--enable-auto-tool-choice|--tool-call-parser",
    ),
    "Ollama": ServerProgram(
        "library",
        "take a model whose template supports tools: `ollama show MODEL` lists the capability tools",
        "start Ollama with OLLAMA_CONTEXT_LENGTH={tokens}",
        "does not support tools",
    ),
    "LM Studio": ServerProgram(
        "organization_owner",
        "take a model that LM Studio marks for tool use, and load it with its own prompt template",
        "load the model with a context length of {tokens}",
    ),
    "": ServerProgram(
        "",
        "switch tool calling on at the server, or take a model that was trained to call tools",
        refusal="support (for )?(tool use|tools|tool calling|function calling)",
    ),
}
# Names of the window in the lists of servers and providers that speak OpenAI's protocol.
_LISTED = ("max_model_len", "loaded_context_length", "context_length", "context_window", "max_context_length")

OLLAMA_CUTS = "Ollama cuts a longer conversation without an error"


class StatedWindow(NamedTuple):
    """A window and where the figure is from; `tokens` is None where it is not known."""

    tokens: int | None
    source: str = ""
    caution: str = ""


@dataclass(slots=True)
class Server:
    """A server with OpenAI's protocol; other providers say nothing about themselves and have no client here."""

    client: Any = None
    kind: ServerKind = ""
    model: str = ""  # as the server knows it
    names: Sequence[str] = ()  # of the models that it lists
    entry: Mapping[str, Any] = field(default_factory=dict)  # of the model in that list

    async def page(self, path: str) -> Mapping[str, Any]:
        """A page beside the protocol, as JSON; empty where there is none."""
        root = str(self.client.base_url).rstrip("/").removesuffix("/v1")
        return await _read(self.client, f"{root}{path}")

    @property
    def program(self) -> ServerProgram:
        return PROGRAMS[self.kind]


async def look_at_server(model: Model) -> Server:
    """Ask a server for its list of models. Never fails: the model's first request reports real problems."""
    client: Any = getattr(model, "client", None)
    if not hasattr(client, "chat"):
        return Server()
    name = model.model_name
    entries = _entries(await _read(client, "/models"), "data")
    server = Server(client, model=name, names=[str(each["id"]) for each in entries if "id" in each])
    server.entry = _named(entries, "id", name)
    if not server.entry and len(entries) == 1:
        server.entry = entries[0]  # llama-server serves its one model under any name
    owner = "library" if model.system == "ollama" else server.entry.get("owned_by")
    server.kind = next((kind for kind, program in PROGRAMS.items() if program.owner == owner), "")
    return server


async def stated_window(server: Server) -> StatedWindow:
    """The window of a model. Ask after its first request: some servers load a model only then."""
    window, source = None, ""
    if server.kind == "llama.cpp":  # `/props` has the window of one slot
        props, source = await server.page("/props"), "llama-server's n_ctx"
        window = _figure(props, "default_generation_settings", "n_ctx")
    elif server.kind == "Ollama":
        loaded = _named(_entries(await server.page("/api/ps"), "models"), "name", server.model)
        return StatedWindow(_figure(loaded, "context_length"), "the loaded model", OLLAMA_CUTS)
    elif server.kind == "LM Studio":  # the largest window that a model could be loaded with is not the one it has
        entry = _named(_entries(await server.page("/api/v0/models"), "data"), "id", server.model)
        window, source = _figure(entry, "loaded_context_length"), "LM Studio's loaded context length"
    if window is not None:
        return StatedWindow(window, source)
    figures = (_figure(server.entry, name) for name in _LISTED)
    return StatedWindow(next(filter(None, figures), None), "the server's list of models")


def refused_tools(message: str) -> str:
    """The remedy, if a server's message says that it takes no tools; else empty."""
    said = [each for each in PROGRAMS.values() if each.refusal and re.search(each.refusal, message, re.IGNORECASE)]
    return said[0].tools if said else ""


async def _read(client: Any, url: str) -> Mapping[str, Any]:
    """A JSON object through the provider's own client, with its key and its certificates; empty on any failure."""
    found: object = None
    try:
        with move_on_after(LIST_SECONDS):
            found = await client.get(url, cast_to=object)
    except Exception:  # each server has its own ways to have no such page
        return {}
    return found if isinstance(found, dict) else {}


def _entries(page: Mapping[str, Any], key: str) -> list[dict[str, Any]]:
    """The objects of a list on a page."""
    listed = page.get(key)
    return [each for each in listed if isinstance(each, dict)] if isinstance(listed, list) else []


def _named(entries: Sequence[dict[str, Any]], key: str, name: str) -> Mapping[str, Any]:
    """The entry with this name; empty if there is none."""
    return next((each for each in entries if each.get(key) in (name, f"{name}:latest")), {})


def _figure(found: Mapping[str, Any], *path: str) -> int | None:
    value: Any = found
    for key in path:
        value = value.get(key) if isinstance(value, Mapping) else None
    return value if isinstance(value, int) and not isinstance(value, bool) and value > 0 else None
