"""Whether a model's window holds the conversation that the context editor lets grow."""

from typing import Any

from anyio import move_on_after
from inspect_ai.model import get_model_info

from ecbench.harness.context import ContextPolicy
from ecbench.harness.models import InspectModel
from ecbench.ranges import WINDOW

SCHEMAS = 3_000  # tokens of the tool schemas, which are sent along and not counted
ANSWER = 8_000  # tokens that an answer should have, its reasoning included
LIST_SECONDS = 2.0

# What servers that speak OpenAI's protocol call it in their list of models.
_SERVED = ("max_model_len", "context_length", "context_window", "max_context_length")


async def window_warning(model: InspectModel, policy: ContextPolicy) -> str:
    """A line for a person when the conversation will outgrow the model's window, as far as that is known."""
    window = await _served_window(model) or _listed_window(model)
    needed = policy.trigger + SCHEMAS + ANSWER
    if window is None or window >= needed:
        return ""
    fits = (window - SCHEMAS - ANSWER) // 1_000 * 1_000
    advice = f"run it with --window {fits} or less" if fits in WINDOW else "take a model with a larger one"
    return (
        f"{model.settings.name} has a window of {window:,} tokens, and a request may need {needed:,}: "
        f"{policy.trigger:,} of conversation, {SCHEMAS:,} for the tools and {ANSWER:,} for the answer; {advice}"
    )


async def _served_window(model: InspectModel) -> int | None:
    """The server's own figure, which knows how the model was started."""
    client: Any = vars(model.model.api).get("client")
    if not hasattr(client, "chat"):
        return None
    name = model.model.api.service_model_name()
    try:
        with move_on_after(LIST_SECONDS):
            served = [listed async for listed in client.models.list() if listed.id == name]
            figures = [(listed.model_extra or {}).get(key) for listed in served for key in _SERVED]
            return next((figure for figure in figures if isinstance(figure, int) and figure > 0), None)
    except Exception:  # a courtesy that few servers know; whatever is wrong is told by the first request
        return None
    return None


def _listed_window(model: InspectModel) -> int | None:
    info = get_model_info(model.model)
    return info.context_length if info is not None else None
