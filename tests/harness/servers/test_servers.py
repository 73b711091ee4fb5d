"""The loopback servers know their own turns and refuse changed ones.

The requests that are changed are those that a scripted model's own player has sent.
"""

import re
from collections.abc import Callable
from copy import deepcopy
from pathlib import Path
from typing import Any

import anyio
import pytest
from tests.harness.protocols.playing import once, settings
from tests.harness.scripts import Diary, converse_with
from tests.harness.servers.anthropic_messages import AnthropicMessages
from tests.harness.servers.conversation import Refused, Say, Think, Use, turn
from tests.harness.servers.google_generate import GoogleGenerate
from tests.harness.servers.openai_chat import OpenAIChat
from tests.harness.servers.openai_responses import OpenAIResponses
from tests.harness.servers.wire import Dialect, serve

import ecbench
from ecbench.harness.brief import Brief

LOOK = turn(
    Think("Cash first."),
    Use("check_balance", {}),
    Think("sealed", redacted=True),
    Say("Now wait."),
    Use("wait_for_next_day", {"current_day": 0}),
)
DONE = turn(Think("Enough."), Say("I am done."))

Change = Callable[[list[Any]], Any]
"""Of a conversation: the user's word, a turn with two calls, their results, a turn in words, the user's reminder."""
CHANGED, UNKNOWN = "not those that were handed out", "were never handed out together"
WITHOUT = "the next calls without a result are"
CHANGES: dict[type[Dialect], tuple[str, list[tuple[str, Change]]]] = {
    AnthropicMessages: (
        "messages",
        [
            (CHANGED, lambda h: h[1]["content"][0].update(thinking="Spend it all.")),
            (UNKNOWN, lambda h: h[1]["content"][0].update(signature="forged")),
            (CHANGED, lambda h: h[1]["content"].pop(0)),
            (CHANGED, lambda h: h[1]["content"][4].update(input={"current_day": 2})),
            (WITHOUT, lambda h: h[2]["content"].pop(1)),
            (WITHOUT, lambda h: h[2]["content"].reverse()),
            (
                "Extra inputs are not permitted",
                lambda h: h[1]["content"][0].update(cache_control={"type": "ephemeral"}),
            ),
        ],
    ),
    GoogleGenerate: (
        "contents",
        [
            (CHANGED, lambda h: h[1]["parts"][1].pop("thoughtSignature")),
            (CHANGED, lambda h: h[1]["parts"][1]["functionCall"].update(args={"a": 3})),
            (CHANGED, lambda h: h[1]["parts"].pop(3)),
            (WITHOUT, lambda h: h[2]["parts"].pop(1)),
        ],
    ),
    OpenAIChat: (
        "messages",
        [
            (CHANGED, lambda h: h[1].pop("reasoning_content")),
            ("are no JSON object", lambda h: h[1]["tool_calls"][1]["function"].update(arguments="two days")),
            (CHANGED, lambda h: h[1]["tool_calls"].reverse()),
            (UNKNOWN, lambda h: h[1]["tool_calls"][0].update(id="mine")),
            ("calls without a result", lambda h: h.pop(3)),
        ],
    ),
    OpenAIResponses: (
        "input",
        [
            ("could not be verified", lambda h: h[1].pop("encrypted_content")),
            (CHANGED, lambda h: h.pop(1)),
            (CHANGED, lambda h: h[4].update(arguments='{"current_day": 7}')),
            ("calls without a result", lambda h: h.pop(6)),
        ],
    ),
}


@pytest.mark.parametrize("kind", CHANGES)
def test_a_changed_conversation_is_refused(kind: type[Dialect], small_world: Path) -> None:
    dialect, episode = kind(), ecbench.Episode(ecbench.load_world(str(small_world)), days=2)
    with serve(dialect, once(LOOK, DONE)) as server:
        anyio.run(converse_with, settings(dialect, server.url), episode, Brief(), Diary())
    sent = next(request for request, talk in zip(server.requests, server.talks, strict=True) if talk.turns == 2)
    field, changes = CHANGES[kind]
    for told, change in changes:
        request = deepcopy(sent)
        entries = request[field]
        history = entries[1:] if entries[0].get("role") == "system" else entries
        change(history)
        with pytest.raises(Refused, match=re.escape(told)):
            dialect.read(request | {field: [*entries[: len(entries) - len(history)], *history]})
