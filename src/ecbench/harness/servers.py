"""What a server with OpenAI's protocol says about itself: its program, its models, and the window of a model.

A window depends on how a server was started, so the server's figure comes before any table. The length that a model was
trained with (`n_ctx_train`, Ollama's `context_length`) is not its window.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, NamedTuple

from anyio import move_on_after
from pydantic_ai.models import Model

LIST_SECONDS = 2.0  # for each question about the server; few have an answer to all of them
NAMES_SHOWN = 8

ServerKind = Literal["llama.cpp", "vLLM", "Ollama", "LM Studio", ""]
"""The program that serves a model; empty where it is not known."""

# The field `owned_by` of a list of models tells these programs apart.
_OWNERS: Mapping[str, ServerKind] = {
    "llamacpp": "llama.cpp",
    "vllm": "vLLM",
    "library": "Ollama",
    "organization_owner": "LM Studio",
}
# Pages that only one program has, each with a word in it, in the order in which an unknown server is asked for them.
_PAGES: tuple[tuple[str, str, ServerKind], ...] = (
    ("/props", "default_generation_settings", "llama.cpp"),
    ("/api/version", "version", "Ollama"),
    ("/api/v0/models", "max_context_length", "LM Studio"),
)
_TOOLS: dict[ServerKind, str] = {
    "llama.cpp": "start llama-server with --jinja, and with a model whose chat template has tools",
    "vLLM": "start vLLM with --enable-auto-tool-choice --tool-call-parser NAME, the parser for this model",
    "Ollama": "take a model whose template supports tools: `ollama show MODEL` lists the capability tools",
    "LM Studio": "take a model that LM Studio marks for tool use, and load it with its own prompt template",
    "": "switch tool calling on at the server, or take a model that was trained to call tools",
}
_WINDOW: dict[ServerKind, str] = {
    "llama.cpp": "start llama-server with -c {tokens} for each of its slots",
    "vLLM": "start vLLM with --max-model-len {tokens}",
    "Ollama": "start Ollama with OLLAMA_CONTEXT_LENGTH={tokens}",
    "LM Studio": "load the model with a context length of {tokens}",
    "": "",
}
# How servers refuse a request because it has tools; the kind is that of the server that says so.
_REFUSALS: tuple[tuple[re.Pattern[str], ServerKind], ...] = (
    (re.compile(r"--jinja"), "llama.cpp"),
    (re.compile(r"--enable-auto-tool-choice|--tool-call-parser"), "vLLM"),
    (re.compile(r"does not support tools"), "Ollama"),
    (re.compile(r"support (?:for )?(?:tool use|tools|tool calling|function calling)", re.IGNORECASE), ""),
)
# Names of the window in the lists of servers and providers that speak OpenAI's protocol.
_LISTED = ("max_model_len", "loaded_context_length", "context_length", "context_window", "max_context_length")
_NUM_CTX = re.compile(r"^num_ctx\s+(\d+)", re.MULTILINE)

OLLAMA_CUTS = "Ollama cuts a longer conversation without an error"


class StatedWindow(NamedTuple):
    """A window and where the figure is from; `tokens` is None where it is not known."""

    tokens: int | None
    source: str = ""
    caution: str = ""


@dataclass(frozen=True, slots=True)
class Server:
    """A server with OpenAI's protocol; other providers say nothing about themselves and have no client here."""

    client: Any = None
    kind: ServerKind = ""
    model: str = ""  # as the server knows it
    names: tuple[str, ...] = ()  # of the models that it lists
    entry: Mapping[str, Any] = field(default_factory=dict)  # of the model in that list

    async def page(self, path: str, body: Mapping[str, Any] | None = None) -> Mapping[str, Any]:
        """A page beside the protocol, as JSON; empty where there is none. With a body it is posted."""
        root = str(self.client.base_url).rstrip("/").removesuffix("/v1")
        return await _read(self.client, f"{root}{path}", body)

    def listed(self) -> str:
        """The names of its models in a few words."""
        shown = ", ".join(self.names[:NAMES_SHOWN])
        return f"{shown} and {len(self.names) - NAMES_SHOWN} more" if len(self.names) > NAMES_SHOWN else shown

    @property
    def tools_remedy(self) -> str:
        """What to change where a model does not call tools."""
        return _TOOLS[self.kind]

    def window_remedy(self, tokens: int) -> str:
        """How to give the server a window of this number of tokens; empty if that is not known."""
        return _WINDOW[self.kind].format(tokens=tokens)


async def look_at_server(model: Model) -> Server:
    """Ask a server for its list of models. Never fails: the model's first request reports real problems."""
    client: Any = getattr(model, "client", None)
    if not hasattr(client, "chat"):
        return Server()
    name = model.model_name
    listed = (await _read(client, "/models")).get("data")
    entries = [each for each in listed if isinstance(each, dict)] if isinstance(listed, list) else []
    names = tuple(str(each["id"]) for each in entries if "id" in each)
    entry = _named(entries, "id", name)
    if not entry and len(entries) == 1 and entries[0].get("owned_by") == "llamacpp":
        entry = entries[0]  # llama-server serves its one model under any name
    kind = "Ollama" if model.system == "ollama" else _OWNERS.get(str(entry.get("owned_by")), "")
    server = Server(client, kind, name, names, entry)
    if kind or not str(client.base_url).startswith("http:"):
        return server
    for path, word, found in _PAGES:
        if word in str(await server.page(path)):
            return Server(client, found, name, names, entry)
    return server


async def stated_window(server: Server) -> StatedWindow:
    """The window of a model. Ask after its first request: some servers load a model only then."""
    found = StatedWindow(None)
    if server.kind == "llama.cpp":  # `/props` has the window of one slot; the list has it in newer versions
        props = await server.page("/props")
        window = _figure(props, "default_generation_settings", "n_ctx") or _figure(server.entry, "meta", "n_ctx")
        found = StatedWindow(window, "llama-server's n_ctx")
    elif server.kind == "Ollama":
        found = await _ollama_window(server)
    elif server.kind == "LM Studio":  # the largest window that a model could be loaded with is not the one it has
        entry = _named((await server.page("/api/v0/models")).get("data"), "id", server.model)
        found = StatedWindow(_figure(entry, "loaded_context_length"), "LM Studio's loaded context length")
    if found.tokens is None and not found.caution:
        return StatedWindow(_listed(server.entry), "the server's list of models")
    return found


async def _ollama_window(server: Server) -> StatedWindow:
    """That of the loaded model; else `num_ctx` of the model's file, without which a default of the server holds."""
    loaded = _named((await server.page("/api/ps")).get("models"), "name", server.model)
    if window := _figure(loaded, "context_length"):
        return StatedWindow(window, "the loaded model", OLLAMA_CUTS)
    shown = await server.page("/api/show", {"model": server.model})
    if set_in_file := _NUM_CTX.search(str(shown.get("parameters"))):
        return StatedWindow(int(set_in_file[1]), "num_ctx of the model", OLLAMA_CUTS)
    return StatedWindow(None, "", f"num_ctx is not set, so a small default of the server holds, and {OLLAMA_CUTS}")


def refused_tools(message: str) -> str:
    """The remedy, if a server's message says that it takes no tools; else empty."""
    return next((_TOOLS[kind] for pattern, kind in _REFUSALS if pattern.search(message)), "")


async def _read(client: Any, url: str, body: Mapping[str, Any] | None = None) -> Mapping[str, Any]:
    """A JSON object through the provider's own client, with its key and its certificates; empty on any failure."""
    found: object = None
    try:
        with move_on_after(LIST_SECONDS):
            ask = client.get(url, cast_to=object) if body is None else client.post(url, cast_to=object, body=body)
            found = await ask
    except Exception:  # each server has its own ways to have no such page
        return {}
    return found if isinstance(found, dict) else {}


def _named(listed: object, key: str, name: str) -> Mapping[str, Any]:
    """The entry of a list with this name; empty if there is none."""
    entries = [each for each in listed if isinstance(each, dict)] if isinstance(listed, list) else []
    return next((each for each in entries if each.get(key) in (name, f"{name}:latest")), {})


def _listed(entry: Mapping[str, Any]) -> int | None:
    """The smallest, where a router states one for the model and one for the provider behind it."""
    own = next((figure for key in _LISTED if (figure := _figure(entry, key)) is not None), None)
    behind = _figure(entry, "top_provider", "context_length")
    return min((figure for figure in (own, behind) if figure is not None), default=None)


def _figure(found: Mapping[str, Any], *path: str) -> int | None:
    value: Any = found
    for key in path:
        value = value.get(key) if isinstance(value, Mapping) else None
    return value if isinstance(value, int) and not isinstance(value, bool) and value > 0 else None
