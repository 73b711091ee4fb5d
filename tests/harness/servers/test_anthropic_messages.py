"""What the server of Anthropic's Messages refuses."""

from typing import Any

import pytest
from tests.harness.servers.anthropic_answers import MODEL as CLAUDE
from tests.harness.servers.anthropic_messages import AnthropicMessages
from tests.harness.servers.clients import SCHEMA, Anthropic, Client
from tests.harness.servers.talks import Change, drop, looking, part, put, refusal, swap, talk
from tests.harness.servers.wire import Server, serve

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
    ("not those that were handed out", put(4, "content", input={"days": 2})),
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


@pytest.mark.parametrize(("told", "change"), ANTHROPIC)
@pytest.mark.parametrize("client", [Anthropic], indirect=True)
def test_anthropic_refuses(client: Client, server: Server, told: str, change: Change) -> None:
    history = talk(client, server.url, 2)
    change(history)
    said = refusal(client, server.url, history)
    assert told in said and "invalid_request_error" in said


@pytest.mark.parametrize(
    ("told", "more"),
    [
        ("max_tokens: Field required", {"max_tokens": 0}),
        ("temperature: Extra inputs", {"extra_body": {"temperature": 1}}),
        ("at most 4 marks may be set, found 5", {"marks": 4, "cache_control": {"type": "ephemeral"}}),
        ("1h must come before 5m", {"marks": 1, "cache_control": {"type": "ephemeral", "ttl": "1h"}}),
        ("tool names must be unique", {"tools": [{"name": "look", "input_schema": SCHEMA}] * 2}),
        ("must be an object", {"tools": [{"name": "look", "input_schema": {"type": "array"}}]}),
    ],
)
@pytest.mark.parametrize("client", [Anthropic], indirect=True)
def test_anthropic_refuses_a_request(client: Client, server: Server, told: str, more: dict[str, Any]) -> None:
    words = [{"type": "text", "text": "Go."}] * 4
    given = dict(more)
    marked = given.pop("marks", 0)
    content = [word | ({"cache_control": {"type": "ephemeral"}} if n < marked else {}) for n, word in enumerate(words)]
    assert told in refusal(client, server.url, [{"role": "user", "content": content}], **given)


@pytest.mark.parametrize("client", [Anthropic], indirect=True)
def test_anthropic_refuses_thinking_behind_another_beginning_unless_told_to_drop_it(
    client: Client, server: Server
) -> None:
    history = [client.user("Hurry."), *talk(client, server.url, 1)[1:]]
    assert "behind another beginning" in refusal(client, server.url, history)


def test_anthropic_answers_the_same_streamed_and_whole() -> None:
    history: Any = [{"role": "user", "content": "Go."}]
    with serve(AnthropicMessages(), looking) as server:
        client = Anthropic.open(server.url)
        whole = client.messages.create(model=CLAUDE, max_tokens=1_000, messages=history)
        with client.messages.stream(model=CLAUDE, max_tokens=1_000, messages=history) as stream:
            assert stream.get_final_message().model_dump(exclude_none=True) == whole.model_dump(exclude_none=True)
    assert [block.type for block in whole.content] == ["thinking", "tool_use", "redacted_thinking", "text", "tool_use"]
    assert whole.stop_reason == "tool_use"
