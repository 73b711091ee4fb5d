"""A check that a model's window holds the longest conversation that the context policy allows."""

from anyio import move_on_after
from inspect_ai.model import get_model_info

from ecbench.harness.context import ContextPolicy
from ecbench.harness.inspect_internals import provider_client
from ecbench.harness.models import InspectModel
from ecbench.ranges import WINDOW

SCHEMAS = 3_000  # tokens of the tool schemas, which the context policy does not count
ANSWER = 8_000  # tokens reserved for an answer with its reasoning
LIST_SECONDS = 2.0

# Names of the window in the model lists of servers that speak OpenAI's protocol.
_SERVED = ("max_model_len", "context_length", "context_window", "max_context_length")


async def window_warning(model: InspectModel, policy: ContextPolicy) -> str:
    """One line for the user if the conversation will outgrow the model's window, where that is known; else empty."""
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
    """The server's own figure, which depends on how the model was started."""
    client = provider_client(model.model.api)
    if not hasattr(client, "chat"):
        return None
    name = model.model.api.service_model_name()
    try:
        with move_on_after(LIST_SECONDS):
            served = [listed async for listed in client.models.list() if listed.id == name]
            figures = [(listed.model_extra or {}).get(key) for listed in served for key in _SERVED]
            return next((figure for figure in figures if isinstance(figure, int) and figure > 0), None)
    except Exception:  # few servers have such a list; the first request reports real problems
        return None
    return None


def _listed_window(model: InspectModel) -> int | None:
    info = get_model_info(model.model)
    return info.context_length if info is not None else None
