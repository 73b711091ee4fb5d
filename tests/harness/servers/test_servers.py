"""The loopback servers know their own turns and refuse changed ones.

The requests that are changed are those that a scripted model's own player has sent.
"""

import re
from collections.abc import Callable
from copy import deepcopy
from functools import cache
from typing import Any

import anyio
import pytest
from tests.conftest import write_little_world
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

Request = dict[str, Any]
Change = Callable[[list[Any]], Any]
"""Of a conversation: the user's word, a turn with two calls, their results, a turn in words, the user's reminder."""
HISTORY = {AnthropicMessages: "messages", GoogleGenerate: "contents", OpenAIChat: "messages", OpenAIResponses: "input"}


@cache
def sent(kind: type[Dialect], source: str) -> Request:
    """What a player sends behind the turn in words."""
    world, dialect = ecbench.load_world(source), kind()
    with serve(dialect, once(LOOK, DONE)) as server:
        anyio.run(converse_with, settings(dialect, server.url), ecbench.Episode(world, days=2), Brief(), Diary())
    return next(request for request, talk in zip(server.requests, server.talks, strict=True) if talk.turns == 2)


ANTHROPIC: list[tuple[str, Change]] = [
    ("the signature is not that of this text", lambda h: h[1]["content"][0].update(thinking="Spend it all.")),
    ("was never handed out", lambda h: h[1]["content"][0].update(signature="forged")),
    ("has been moved", lambda h: h[1]["content"].pop(0)),
    ("not those that were handed out", lambda h: h[1]["content"][4].update(input={"current_day": 2})),
    ("has no `tool_result` immediately after it", lambda h: h[2]["content"].pop(1)),
    ("in the order of the calls", lambda h: h[2]["content"].reverse()),
    ("Extra inputs are not permitted", lambda h: h[1]["content"][0].update(cache_control={"type": "ephemeral"})),
]

GOOGLE: list[tuple[str, Change]] = [
    ("missing a thought_signature", lambda h: h[1]["parts"][1].pop("thoughtSignature")),
    ("the signature is not that of this text", lambda h: h[1]["parts"][1]["functionCall"].update(args={"a": 3})),
    ("not those that were handed out", lambda h: h[1]["parts"][3].update(text="Never mind.")),
    ("3 blocks were handed out, 2 came back", lambda h: h[1]["parts"].pop(3)),
    ("2 calls, 1 function responses", lambda h: h[2]["parts"].pop(1)),
]

CHAT: list[tuple[str, Change]] = [
    ("not those that were handed out", lambda h: h[1].pop("reasoning_content")),
    ("are no JSON object", lambda h: h[1]["tool_calls"][1]["function"].update(arguments="two days")),
    ("has been moved", lambda h: h[1]["tool_calls"].reverse()),
    ("was never handed out", lambda h: h[1]["tool_calls"][0].update(id="mine")),
    ("tool_calls without an answer", lambda h: h.pop(3)),
]

RESPONSES: list[tuple[str, Change]] = [
    ("could not be verified", lambda h: h[1].pop("encrypted_content")),
    ("has been moved", lambda h: h.pop(1)),
    ("not those that were handed out", lambda h: h[4].update(arguments='{"current_day": 7}')),
    ("4 blocks were handed out, 3 came back", lambda h: h.pop(4)),
    ("no output for the calls", lambda h: h.pop(6)),
]

CHANGES: dict[type[Dialect], list[tuple[str, Change]]] = {
    AnthropicMessages: ANTHROPIC,
    GoogleGenerate: GOOGLE,
    OpenAIChat: CHAT,
    OpenAIResponses: RESPONSES,
}


def changed(kind: type[Dialect], source: str, change: Change) -> Request:
    """What was sent, with a change in the conversation behind the system message."""
    request = deepcopy(sent(kind, source))
    entries = request[HISTORY[kind]]
    opening = [entry for entry in entries[:1] if entry.get("role") == "system"]
    history = entries[len(opening) :]
    change(history)
    return request | {HISTORY[kind]: [*opening, *history]}


@pytest.fixture(scope="module")
def source(tmp_path_factory: pytest.TempPathFactory) -> str:
    return str(write_little_world(tmp_path_factory.mktemp("world")))


@pytest.mark.parametrize(
    ("kind", "told", "change"), [(kind, told, change) for kind, changes in CHANGES.items() for told, change in changes]
)
def test_a_changed_conversation_is_refused(kind: type[Dialect], told: str, change: Change, source: str) -> None:
    request = changed(kind, source, change)
    with pytest.raises(Refused, match=re.escape(told)):
        kind().read(request)
