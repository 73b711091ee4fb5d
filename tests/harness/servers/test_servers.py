"""The loopback servers know their own turns and refuse changed ones, seen through the providers' own clients."""

import base64
import re
from collections.abc import Callable, Iterator
from contextlib import suppress
from copy import deepcopy
from functools import cache
from typing import Any

import pytest
from tests.harness.servers.clients import CLIENTS, SCHEMA, Anthropic, Chat, Client, Google, History, Responses
from tests.harness.servers.conversation import Say, Talk, Think, Turn, Use, turn
from tests.harness.servers.wire import Server, serve

every_client = pytest.mark.parametrize("client", CLIENTS, indirect=True)
LOOK = turn(
    Think("Cash first."),
    Use("look", {}),
    Think("sealed", redacted=True),
    Say("Now wait."),
    Use("wait", {"days": 1}),
)

Change = Callable[[History], Any]


def looking(talk: Talk) -> Turn:
    """Calls and words by turns."""
    return turn(Think("Enough."), Say("I am done.")) if talk.turns % 2 else LOOK


def talk(client: Client, url: str, turns: int) -> History:
    """A conversation that ends where the model is due."""
    return deepcopy(held(client, url, turns))


@cache
def held(client: Client, url: str, turns: int) -> History:
    if turns == 0:
        return [client.user("Go.")]
    before = talk(client, url, turns - 1)
    said: Any = client.ask(url, before)
    return [*before, *(said if isinstance(said, list) else [said]), *client.results(said)]


def check_refusal(client: Client, url: str, history: History, told: str, **more: Any) -> None:
    """The server refuses this for that reason, in the form of its provider's errors."""
    with pytest.raises(Exception, match=re.escape(told)) as caught:
        client.ask(url, history, **more)
    assert client.bad_request in str(caught.value)


def part(index: int, kind: str) -> Callable[[History], Any]:
    """A block of the first turn."""
    return lambda history: history[1][kind][index]


def put(index: int, kind: str, **fields: Any) -> Change:
    return lambda history: part(index, kind)(history).update(fields)


def swap(place: int, kind: str, first: int, second: int) -> Change:
    def change(history: History) -> None:
        blocks = history[place][kind]
        blocks[first], blocks[second] = blocks[second], blocks[first]

    return change


def drop(place: int, kind: str, index: int) -> Change:
    return lambda history: history[place][kind].pop(index)


@pytest.fixture(scope="module")
def client(request: pytest.FixtureRequest) -> Client:
    made: Client = request.param()
    return made


@pytest.fixture(scope="module")
def serving(client: Client) -> Iterator[Server]:
    with serve(client.dialect, looking) as server:
        yield server


@pytest.fixture
def server(serving: Server) -> Server:
    """One for all tests of a client, with nothing heard yet."""
    for heard in (serving.requests, serving.talks, serving.refusals):
        heard.clear()
    return serving


@every_client
def test_a_conversation_that_is_given_back_as_it_was_is_taken(client: Client, server: Server) -> None:
    held.cache_clear()
    client.ask(server.url, talk(client, server.url, 4))
    assert server.refusals == []
    assert [heard.displaced for heard in server.talks] == [0] * 5
    newest = server.talks[-1]
    assert (newest.system, newest.turns, newest.results) == ("Trade.", 4, ())
    assert server.talks[1].results == ("{}", "{}")
    assert newest.heard[0].texts == ("Go.",)


@every_client
def test_a_server_started_anew_knows_what_another_one_handed_out(client: Client, server: Server) -> None:
    history = talk(client, server.url, 3)
    with serve(client.dialect, looking) as other:
        client.ask(other.url, history)
        assert other.refusals == []


@every_client
def test_turns_behind_an_edited_beginning_are_displaced(client: Client, server: Server) -> None:
    history = talk(client, server.url, 2)
    edited = [client.user("Go, and hurry."), *history[1:]]
    drop = {"type": "adaptive", "block_binding": {"prefix_mismatch_behavior": "drop_block"}}
    client.ask(server.url, edited, **({"thinking": drop} if isinstance(client, Anthropic) else {}))
    assert server.talks[-1].displaced >= 1


@every_client
def test_the_same_request_is_answered_with_the_same_words(client: Client, server: Server) -> None:
    history = talk(client, server.url, 2)
    assert client.ask(server.url, deepcopy(history)) == client.ask(server.url, history)


@every_client
def test_a_fault_of_the_script_is_not_taken_for_the_providers(client: Client) -> None:
    def broken(_: Talk) -> Turn:
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError), serve(client.dialect, broken) as server, suppress(Exception):
        client.ask(server.url, [client.user("Go.")])


def resign(history: History) -> None:
    """The second call's place is left alone; the first one's signature goes to it."""
    parts = history[1]["parts"]
    parts[4]["thought_signature"] = parts[1].pop("thought_signature")


def call(index: int) -> Callable[[History], Any]:
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

GOOGLE: list[tuple[str, Change]] = [
    ("missing a thought_signature", lambda h: part(1, "parts")(h).pop("thought_signature")),
    ("missing a thought_signature", resign),
    ("was never handed out", put(1, "parts", thought_signature=base64.b64encode(b"forged"))),
    ("was never handed out", lambda h: part(1, "parts")(h)["function_call"].pop("id")),
    ("the signature is not that of this text", lambda h: part(1, "parts")(h)["function_call"].update(args={"days": 3})),
    ("not those that were handed out", lambda h: part(4, "parts")(h)["function_call"].update(args={"days": 3})),
    ("not those that were handed out", put(3, "parts", text="Never mind.")),
    ("3 blocks were handed out, 2 came back", drop(1, "parts", 3)),
    ("2 calls, 1 function responses", drop(2, "parts", 1)),
    ("the next call without a response is", swap(2, "parts", 0, 1)),
    ("2 calls, 0 function responses", lambda h: h.insert(2, {"role": "user", "parts": [{"text": "So:"}]})),
    ("responses and words do not mix", lambda h: h[2]["parts"].append({"text": "So."})),
    ("calls without a response", lambda h: h.pop(2)),
    ("a user must speak last", lambda h: h.append(h[3])),
]

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

RESPONSES: list[tuple[str, Change]] = [
    ("could not be verified", lambda h: h[1].update(encrypted_content=h[1]["encrypted_content"] + "x")),
    ("could not be verified", lambda h: h[1].pop("encrypted_content")),
    ("has been moved", lambda h: h.pop(1)),
    ("has been moved", lambda h: h.insert(1, h.pop(2))),
    ("has been moved", lambda h: h.insert(3, h.pop(4))),
    ("was never handed out", lambda h: h[3].pop("id")),
    ("not those that were handed out", lambda h: h[2]["content"][0].update(text="Never mind.")),
    ("not those that were handed out", lambda h: h[2].pop("phase")),
    ("not those that were handed out", lambda h: h[4].update(arguments='{"days": 7}')),
    ("this item has another call_id", lambda h: h[3].update(call_id="mine")),
    ("4 blocks were handed out, 3 came back", lambda h: h.pop(4)),
    ("the next call without an output is", lambda h: h.insert(5, h.pop(6))),
    ("no output for the calls", lambda h: h.pop(6)),
    ("without the item that must follow it", lambda h: h.__delitem__(slice(2, 9))),
]

CHANGES: list[tuple[type[Client], list[tuple[str, Change]]]] = [
    (Anthropic, ANTHROPIC),
    (Google, GOOGLE),
    (Chat, CHATS),
    (Responses, RESPONSES),
]


@pytest.mark.parametrize(
    ("client", "told", "change"),
    [(client, told, change) for client, changes in CHANGES for told, change in changes],
    indirect=["client"],
)
def test_a_changed_conversation_is_refused(client: Client, server: Server, told: str, change: Change) -> None:
    history = talk(client, server.url, 2)
    change(history)
    check_refusal(client, server.url, history, told)


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
    check_refusal(client, server.url, [{"role": "user", "content": content}], told, **given)


@pytest.mark.parametrize("client", [Anthropic], indirect=True)
def test_anthropic_refuses_thinking_behind_another_beginning_unless_told_to_drop_it(
    client: Client, server: Server
) -> None:
    history = [client.user("Hurry."), *talk(client, server.url, 1)[1:]]
    check_refusal(client, server.url, history, "behind another beginning")


@pytest.mark.parametrize("client", [Google], indirect=True)
def test_google_does_without_the_thoughts(client: Client, server: Server) -> None:
    history = talk(client, server.url, 2)
    for entry in history:
        entry["parts"] = [each for each in entry["parts"] if not each.get("thought")]
    client.ask(server.url, history)
    assert server.refusals == []


@pytest.mark.parametrize("client", [Responses], indirect=True)
def test_stored_items_are_known_by_their_ids_and_others_are_not_found(client: Client, server: Server) -> None:
    unstored = talk(client, server.url, 1)
    check_refusal(client, server.url, unstored, "not found", store=True)
    said: Any = client.ask(server.url, [client.user("Go.")], store=True, include=[])
    assert "encrypted_content" not in said[0]
    client.ask(server.url, [client.user("Go."), *said, *client.results(said)], store=True, include=[])
    bare = [client.user("Go."), *said, *client.results(said)]
    check_refusal(client, server.url, bare, "could not be verified", store=False)
