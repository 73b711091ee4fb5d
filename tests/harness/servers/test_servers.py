"""The loopback servers know their own turns and refuse changed ones.

The requests that are changed are those that a scripted model's own player has sent.
"""

import base64
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


def part(index: int, kind: str) -> Callable[[list[Any]], Any]:
    """A block of the first turn."""
    return lambda history: history[1][kind][index]


def put(index: int, kind: str, **fields: Any) -> Change:
    return lambda history: part(index, kind)(history).update(fields)


def swap(place: int, kind: str, first: int, second: int) -> Change:
    def change(history: list[Any]) -> None:
        blocks = history[place][kind]
        blocks[first], blocks[second] = blocks[second], blocks[first]

    return change


def drop(place: int, kind: str, index: int) -> Change:
    return lambda history: history[place][kind].pop(index)


def resign(history: list[Any]) -> None:
    """The second call's place is left alone; the first one's signature goes to it."""
    parts = history[1]["parts"]
    parts[4]["thoughtSignature"] = parts[1].pop("thoughtSignature")


def call(index: int) -> Callable[[list[Any]], Any]:
    return lambda history: history[1]["tool_calls"][index]


ANTHROPIC: list[tuple[str, Change]] = [
    ("the signature is not that of this text", put(0, "content", thinking="Spend it all.")),
    ("was never handed out", put(0, "content", signature="forged")),
    (
        "the signature is not that of this text",
        lambda h: part(2, "content")(h).update(data=part(2, "content")(h)["data"] + "x"),
    ),
    ("has been moved", swap(1, "content", 1, 2)),
    ("has been moved", drop(1, "content", 0)),
    ("5 blocks were handed out, 4 came back", drop(1, "content", 3)),
    ("not those that were handed out", put(3, "content", text="Never mind.")),
    ("not those that were handed out", put(4, "content", input={"current_day": 2})),
    ("has no `tool_result` immediately after it", drop(2, "content", 1)),
    ("in the order of the calls", swap(2, "content", 0, 1)),
    (
        "has no `tool_use` in the message before",
        lambda h: h[2]["content"].append({**h[2]["content"][0], "tool_use_id": "x"}),
    ),
    ("`tool_result` blocks come first", lambda h: h[2]["content"].insert(0, {"type": "text", "text": "So:"})),
    ("has no `tool_result` immediately after it", lambda h: h.__setitem__(2, {"role": "user", "content": "Go on."})),
    ("user and assistant take turns", lambda h: h.pop(0)),
    ("the conversation must end with a user message", lambda h: h.append(h[3])),
    ("text content blocks must be non-empty", lambda h: h[0]["content"][0].update(text=" ")),
    ("Extra inputs are not permitted", put(0, "content", cache_control={"type": "ephemeral"})),
]

GOOGLE: list[tuple[str, Change]] = [
    ("missing a thought_signature", lambda h: part(1, "parts")(h).pop("thoughtSignature")),
    ("missing a thought_signature", resign),
    ("was never handed out", put(1, "parts", thoughtSignature=base64.b64encode(b"forged").decode())),
    ("was never handed out", lambda h: part(1, "parts")(h)["functionCall"].pop("id")),
    ("the signature is not that of this text", lambda h: part(1, "parts")(h)["functionCall"].update(args={"a": 3})),
    ("not those that were handed out", lambda h: part(4, "parts")(h)["functionCall"].update(args={"a": 3})),
    ("not those that were handed out", put(3, "parts", text="Never mind.")),
    ("3 blocks were handed out, 2 came back", drop(1, "parts", 3)),
    ("2 calls, 1 function responses", drop(2, "parts", 1)),
    ("the next call without a response is", swap(2, "parts", 0, 1)),
    ("2 calls, 0 function responses", lambda h: h.insert(2, {"role": "user", "parts": [{"text": "So:"}]})),
    ("responses and words do not mix", lambda h: h[2]["parts"].append({"text": "So."})),
    ("calls without a response", lambda h: h.pop(2)),
    ("a user must speak last", lambda h: h.append(h[3])),
]

CHAT: list[tuple[str, Change]] = [
    ("not those that were handed out", lambda h: h[1].update(reasoning_content="Spend it all.")),
    ("not those that were handed out", lambda h: h[1].pop("reasoning_content")),
    ("not those that were handed out", lambda h: h[1].update(content="Never mind.")),
    ("not those that were handed out", lambda h: call(1)(h)["function"].update(arguments='{"current_day": 2}')),
    ("are no JSON object", lambda h: call(1)(h)["function"].update(arguments="two days")),
    ("has been moved", swap(1, "tool_calls", 0, 1)),
    ("4 blocks were handed out, 3 came back", drop(1, "tool_calls", 1)),
    ("was never handed out", lambda h: call(0)(h).update(id="mine")),
    ("the next call without an answer is", lambda h: h.insert(2, h.pop(3))),
    ("the next call without an answer is", lambda h: h.insert(4, h[3])),
    ("tool_calls without an answer", lambda h: h.pop(3)),
    ("tool_calls without an answer", lambda h: h.insert(3, {"role": "user", "content": "So?"})),
    ("has content or calls a tool", lambda h: h.append({"role": "assistant"})),
    ("there is nothing to answer", lambda h: h.append({"role": "assistant", "content": "Well."})),
]

RESPONSES: list[tuple[str, Change]] = [
    ("could not be verified", lambda h: h[1].update(encrypted_content=h[1]["encrypted_content"] + "x")),
    ("could not be verified", lambda h: h[1].pop("encrypted_content")),
    ("has been moved", lambda h: h.pop(1)),
    ("has been moved", lambda h: h.insert(1, h.pop(2))),
    ("has been moved", lambda h: h.insert(3, h.pop(4))),
    ("was never handed out", lambda h: h[3].pop("id")),
    ("not those that were handed out", lambda h: h[2]["content"][0].update(text="Never mind.")),
    ("not those that were handed out", lambda h: h[2].pop("phase")),
    ("not those that were handed out", lambda h: h[4].update(arguments='{"current_day": 7}')),
    ("this item has another call_id", lambda h: h[3].update(call_id="mine")),
    ("4 blocks were handed out, 3 came back", lambda h: h.pop(4)),
    ("the next call without an output is", lambda h: h.insert(5, h.pop(6))),
    ("no output for the calls", lambda h: h.pop(6)),
    ("without the item that must follow it", lambda h: h.__delitem__(slice(2, 9))),
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


@pytest.mark.parametrize("kind", HISTORY)
def test_turns_behind_an_edited_beginning_are_displaced(kind: type[Dialect], source: str) -> None:
    assert kind().read(sent(kind, source)).displaced == 0
    words = {"content": "Hurry.", "parts": [{"text": "Hurry."}]}

    def edit(history: list[Any]) -> None:
        history[0] |= {name: words[name] for name in words if name in history[0]}

    assert kind().read(changed(kind, source, edit)).displaced >= 1


def test_anthropic_refuses_thinking_behind_another_beginning_unless_told_to_drop_it(source: str) -> None:
    request = changed(AnthropicMessages, source, lambda h: h[0].update(content="Hurry."))
    del request["thinking"]
    with pytest.raises(Refused, match="behind another beginning"):
        AnthropicMessages().read(request)


MARK = {"type": "ephemeral", "ttl": "5m"}
WORD = {"type": "text", "text": "Go."}
TOOL = {"name": "look", "input_schema": {"type": "object"}}


@pytest.mark.parametrize(
    ("told", "more"),
    [
        ("max_tokens: Field required", {"max_tokens": None}),
        ("temperature: Extra inputs", {"temperature": 1}),
        (
            "at most 4 marks may be set, found 5",
            {"system": [WORD | {"cache_control": MARK}] * 4, "tools": [TOOL], "cache_control": MARK},
        ),
        ("1h must come before 5m", {"tools": [TOOL | {"cache_control": MARK}], "cache_control": MARK | {"ttl": "1h"}}),
        ("tool names must be unique", {"tools": [TOOL] * 2}),
        ("must be an object", {"tools": [TOOL | {"input_schema": {"type": "array"}}]}),
    ],
)
def test_anthropic_refuses_a_request(told: str, more: Request, source: str) -> None:
    with pytest.raises(Refused, match=told):
        AnthropicMessages().read(sent(AnthropicMessages, source) | more)


def test_google_does_without_the_thoughts(source: str) -> None:
    def forget(history: list[Any]) -> None:
        for entry in history:
            entry["parts"] = [each for each in entry["parts"] if not each.get("thought")]

    assert GoogleGenerate().read(changed(GoogleGenerate, source, forget)).turns == 2
