"""The loopback servers know their own turns again, seen through the providers' own clients."""

from contextlib import suppress
from copy import deepcopy

import pytest
from tests.harness.servers.clients import CLIENTS, Anthropic, Client
from tests.harness.servers.conversation import Talk, Turn
from tests.harness.servers.talks import held, looking, talk
from tests.harness.servers.wire import Server, serve


@pytest.mark.parametrize("client", CLIENTS, indirect=True)
def test_a_conversation_that_is_given_back_as_it_was_is_taken(client: Client, server: Server) -> None:
    held.cache_clear()
    client.ask(server.url, talk(client, server.url, 4))
    assert server.refusals == []
    assert [heard.displaced for heard in server.talks] == [0] * 5
    newest = server.talks[-1]
    assert (newest.system, newest.turns, newest.results) == ("Trade.", 4, ())
    assert server.talks[1].results == ("{}", "{}")
    assert newest.heard[0].texts == ("Go.",)


@pytest.mark.parametrize("client", CLIENTS, indirect=True)
def test_a_server_started_anew_knows_what_another_one_handed_out(client: Client, server: Server) -> None:
    history = talk(client, server.url, 3)
    with serve(client.dialect, looking) as other:
        client.ask(other.url, history)
        assert other.refusals == []


@pytest.mark.parametrize("client", CLIENTS, indirect=True)
def test_turns_behind_an_edited_beginning_are_displaced(client: Client, server: Server) -> None:
    history = talk(client, server.url, 2)
    edited = [client.user("Go, and hurry."), *history[1:]]
    drop = {"type": "adaptive", "block_binding": {"prefix_mismatch_behavior": "drop_block"}}
    client.ask(server.url, edited, **({"thinking": drop} if isinstance(client, Anthropic) else {}))
    assert server.talks[-1].displaced >= 1


@pytest.mark.parametrize("client", CLIENTS, indirect=True)
def test_the_same_request_is_answered_with_the_same_words(client: Client, server: Server) -> None:
    history = talk(client, server.url, 2)
    assert client.ask(server.url, deepcopy(history)) == client.ask(server.url, history)


@pytest.mark.parametrize("client", CLIENTS, indirect=True)
def test_a_fault_of_the_script_is_not_taken_for_the_providers(client: Client) -> None:
    def broken(_: Talk) -> Turn:
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError), serve(client.dialect, broken) as server, suppress(Exception):
        client.ask(server.url, [client.user("Go.")])
