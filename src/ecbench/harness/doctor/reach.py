"""What a server says about itself: which program it is, and which models it lists."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from anyio import move_on_after

from ecbench.harness.doctor.remedies import ServerKind
from ecbench.harness.models import ProviderModel

LIST_SECONDS = 2.0  # for each question about the server; few have an answer to all of them
NAMES_SHOWN = 8

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
        return await _read(self.client, f"{_root(self.client)}{path}", body)

    def listed(self) -> str:
        """The names of its models in a few words."""
        shown = ", ".join(self.names[:NAMES_SHOWN])
        return f"{shown} and {len(self.names) - NAMES_SHOWN} more" if len(self.names) > NAMES_SHOWN else shown


async def look_at_server(model: ProviderModel) -> Server:
    """Ask a server for its list of models. Never fails: the model's first request reports real problems."""
    client: Any = getattr(model.model, "client", None)
    if not hasattr(client, "chat"):
        return Server()
    name = model.model.model_name
    listed = (await _read(client, "/models")).get("data")
    entries = [each for each in listed if isinstance(each, dict)] if isinstance(listed, list) else []
    names = tuple(str(each["id"]) for each in entries if "id" in each)
    entry = next((each for each in entries if each.get("id") in (name, f"{name}:latest")), {})
    if not entry and len(entries) == 1 and entries[0].get("owned_by") == "llamacpp":
        entry = entries[0]  # llama-server serves its one model under any name
    server = Server(client, _kind(model, entry), name, names, entry)
    if server.kind or not str(client.base_url).startswith("http:"):
        return server
    for path, word, kind in _PAGES:
        if word in str(await server.page(path)):
            return Server(client, kind, name, names, entry)
    return server


def _kind(model: ProviderModel, entry: Mapping[str, Any]) -> ServerKind:
    if model.settings.name.startswith("ollama/"):
        return "Ollama"
    return _OWNERS.get(str(entry.get("owned_by")), "")


def _root(client: Any) -> str:
    """The address of the server itself, before the path of the protocol."""
    return str(client.base_url).rstrip("/").removesuffix("/v1")


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
