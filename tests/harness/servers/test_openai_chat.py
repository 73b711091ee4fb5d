"""What the server of chat completions refuses."""

from collections.abc import Callable
from typing import Any

import pytest
from tests.harness.servers.clients import Chat, Client, History
from tests.harness.servers.talks import Change, drop, refusal, swap, talk
from tests.harness.servers.wire import Server


def call(index: int) -> Callable[[History], Any]:
    return lambda history: history[1]["tool_calls"][index]


CHATS: list[tuple[str, Change]] = [
    ("not those that were handed out", lambda h: h[1].update(reasoning_content="Spend it all.")),
    ("not those that were handed out", lambda h: h[1].pop("reasoning_content")),
    ("not those that were handed out", lambda h: h[1].update(content="Never mind.")),
    ("not those that were handed out", lambda h: call(1)(h)["function"].update(arguments='{"days": 2}')),
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


@pytest.mark.parametrize(("told", "change"), CHATS)
@pytest.mark.parametrize("client", [Chat], indirect=True)
def test_chat_completions_refuse(client: Client, server: Server, told: str, change: Change) -> None:
    history = talk(client, server.url, 2)
    change(history)
    assert told in refusal(client, server.url, history)
