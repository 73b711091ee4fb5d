"""Conversations of a client with a server, and what can be done to them."""

import re
from collections.abc import Callable
from copy import deepcopy
from functools import cache
from typing import Any

import pytest
from tests.harness.servers.clients import Client, History
from tests.harness.servers.conversation import Say, Talk, Think, Turn, Use, turn

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
