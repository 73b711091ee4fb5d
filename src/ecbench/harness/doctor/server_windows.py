"""The window of a model as its server states it, in tokens of the model.

A window depends on how a server was started, so the server's figure comes before any table. The length that a model was
trained with (`n_ctx_train`, Ollama's `context_length`) is not its window.
"""

import re
from collections.abc import Mapping
from typing import Any, NamedTuple

from ecbench.harness.context import ContextPolicy
from ecbench.harness.doctor.diagnosis import Diagnosis
from ecbench.harness.doctor.reach import Server
from ecbench.harness.doctor.remedies import ServerKind, window_remedy
from ecbench.harness.doctor.window_fit import fitting_window, needed_tokens, window_advice
from ecbench.harness.models import ProviderModel
from ecbench.harness.prices import listed_window

# Names of the window in the lists of servers and providers that speak OpenAI's protocol.
_LISTED = ("max_model_len", "loaded_context_length", "context_length", "context_window", "max_context_length")
_NUM_CTX = re.compile(r"^num_ctx\s+(\d+)", re.MULTILINE)

OLLAMA_CUTS = "Ollama cuts a longer conversation without an error"


class StatedWindow(NamedTuple):
    """A window and where the figure is from; `tokens` is None where it is not known."""

    tokens: int | None
    source: str
    caution: str = ""


async def stated_window(model: ProviderModel, server: Server) -> StatedWindow:
    """The window of a model. Ask after its first request: some servers load a model only then."""
    match server.kind:
        case "llama.cpp":
            found = await _llama_window(server)
        case "Ollama":
            found = await _ollama_window(server)
        case "LM Studio":
            found = await _lm_studio_window(server)
        case _:
            found = StatedWindow(None, "")
    if found.tokens is None and not found.caution:
        found = StatedWindow(_listed(server.entry), "the server's list of models")
    if found.tokens is not None or found.caution:
        return found
    own = model.settings.base_url is None
    return StatedWindow(listed_window(model.settings.name) if own else None, "the list of genai-prices")


def judge_window(result: Diagnosis, stated: StatedWindow, kind: ServerKind, policy: ContextPolicy) -> None:
    """Whether the conversation of a run fits the window; else the policy that fits it becomes the result's."""
    result.window, result.policy = stated.tokens, policy
    if stated.tokens is None:
        remedy = window_remedy(kind, needed_tokens(policy, result.ratio)) if stated.caution else ""
        result.add("window", "note", stated.caution or "not known; --window bounds the conversation", remedy)
        return
    needed = needed_tokens(policy, result.ratio)
    figure = f"{stated.tokens:,} tokens ({stated.source})"
    if needed <= stated.tokens:
        result.add("window", "ok", f"{figure}, and a request needs at most {needed:,}")
        return
    fits = fitting_window(stated.tokens, result.ratio)
    result.policy = ContextPolicy.sized(fits) if fits else None
    remedies = filter(None, (window_advice(stated.tokens, result.ratio), window_remedy(kind, needed)))
    caution = f"; {stated.caution}" if stated.caution else ""
    text = f"{figure}, and a request may need {needed:,}{caution}"
    result.add("window", "note" if fits else "fault", text, ", or ".join(remedies))


async def _llama_window(server: Server) -> StatedWindow:
    """`/props` has the window of one slot; the list has it in newer versions, beside the trained length."""
    props = await server.page("/props")
    window = _figure(props, "default_generation_settings", "n_ctx") or _figure(server.entry, "meta", "n_ctx")
    return StatedWindow(window, "llama-server's n_ctx")


async def _ollama_window(server: Server) -> StatedWindow:
    """That of the loaded model; else `num_ctx` of the model's file, without which a default of the server holds."""
    loaded = (await server.page("/api/ps")).get("models")
    for each in loaded if isinstance(loaded, list) else ():
        if isinstance(each, dict) and each.get("name") in (server.model, f"{server.model}:latest"):
            window = _figure(each, "context_length")
            if window is not None:
                return StatedWindow(window, "the loaded model", OLLAMA_CUTS)
    shown = await server.page("/api/show", {"model": server.model})
    set_in_file = _NUM_CTX.search(str(shown.get("parameters")))
    if set_in_file:
        return StatedWindow(int(set_in_file[1]), "num_ctx of the model", OLLAMA_CUTS)
    return StatedWindow(None, "", f"num_ctx is not set, so a small default of the server holds, and {OLLAMA_CUTS}")


async def _lm_studio_window(server: Server) -> StatedWindow:
    """Of the loaded model. The largest window that it could be loaded with says nothing about the one it has."""
    listed = (await server.page("/api/v0/models")).get("data")
    entries = [each for each in listed if isinstance(each, dict)] if isinstance(listed, list) else []
    entry = next((each for each in entries if each.get("id") == server.model), {})
    return StatedWindow(_figure(entry, "loaded_context_length"), "LM Studio's loaded context length")


def _listed(entry: Mapping[str, Any]) -> int | None:
    """The smallest, where a router states one for the model and one for the provider behind it."""
    own = next((figure for key in _LISTED if (figure := _figure(entry, key)) is not None), None)
    behind = _figure(entry, "top_provider", "context_length")
    figures = [figure for figure in (own, behind) if figure is not None]
    return min(figures, default=None)


def _figure(found: Mapping[str, Any], *path: str) -> int | None:
    value: Any = found
    for key in path:
        value = value.get(key) if isinstance(value, Mapping) else None
    return value if isinstance(value, int) and not isinstance(value, bool) and value > 0 else None
