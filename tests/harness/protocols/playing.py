"""Short years that a scripted model plays through a provider's own client."""

from collections.abc import Callable
from typing import Any

from tests.harness.scripts import Diary, YearPlayed
from tests.harness.servers.anthropic_messages import AnthropicMessages
from tests.harness.servers.conversation import KEY, Fault, Script, Think, Turn, Use, turn
from tests.harness.servers.google_generate import GoogleGenerate
from tests.harness.servers.openai_chat import OpenAIChat
from tests.harness.servers.openai_responses import OpenAIResponses
from tests.harness.servers.wire import Dialect, Server

from ecbench.harness.settings import ModelSettings

WAIT = turn(Think("On we go."), Use("wait_for_next_day", {"current_day": 0}))
DIALECTS: list[type[Dialect]] = [AnthropicMessages, GoogleGenerate, OpenAIResponses, OpenAIChat]

Played = Callable[..., tuple[YearPlayed, Diary, Server]]


def settings(dialect: Dialect, url: str, **more: Any) -> ModelSettings:
    given = {"name": dialect.agent, "model_args": {"api_key": KEY}, **more}
    return ModelSettings(base_url=url, **given)


def once(*first: Turn | Fault, then: Turn | Fault = WAIT) -> Script:
    """These in order, then the same for ever; a question without a system message is none of the year's."""
    said = list(first)
    return lambda talk: WAIT if not talk.system else said.pop(0) if said else then


def years(server: Server) -> list[dict[str, Any]]:
    return [request for request, talk in zip(server.requests, server.talks, strict=True) if talk.system]
