"""What the server of OpenAI's Responses refuses."""

from typing import Any

import pytest
from tests.harness.servers.clients import Client, Responses
from tests.harness.servers.talks import Change, refusal, talk
from tests.harness.servers.wire import Server

RESPONSES: list[tuple[str, Change]] = [
    ("could not be verified", lambda h: h[1].update(encrypted_content=h[1]["encrypted_content"] + "x")),
    ("could not be verified", lambda h: h[1].pop("encrypted_content")),
    ("has been moved", lambda h: h.pop(1)),
    ("has been moved", lambda h: h.insert(1, h.pop(2))),
    ("has been moved", lambda h: h.insert(3, h.pop(4))),
    ("was never handed out", lambda h: h[3].pop("id")),
    ("not those that were handed out", lambda h: h[2]["content"][0].update(text="Never mind.")),
    ("not those that were handed out", lambda h: h[2].pop("phase")),
    ("not those that were handed out", lambda h: h[4].update(arguments='{"days": 1}')),
    ("this item has another call_id", lambda h: h[3].update(call_id="mine")),
    ("4 blocks were handed out, 3 came back", lambda h: h.pop(4)),
    ("the next call without an output is", lambda h: h.insert(5, h.pop(6))),
    ("no output for the calls", lambda h: h.pop(6)),
    ("without the item that must follow it", lambda h: h.__delitem__(slice(2, 9))),
]


@pytest.mark.parametrize(("told", "change"), RESPONSES)
@pytest.mark.parametrize("client", [Responses], indirect=True)
def test_responses_refuse(client: Client, server: Server, told: str, change: Change) -> None:
    history = talk(client, server.url, 2)
    change(history)
    assert told in refusal(client, server.url, history)


@pytest.mark.parametrize("client", [Responses], indirect=True)
def test_stored_items_are_known_by_their_ids_and_others_are_not_found(client: Client, server: Server) -> None:
    unstored = talk(client, server.url, 1)
    assert "not found" in refusal(client, server.url, unstored, store=True)
    said: Any = client.ask(server.url, [client.user("Go.")], store=True, include=[])
    assert "encrypted_content" not in said[0]
    client.ask(server.url, [client.user("Go."), *said, *client.results(said)], store=True, include=[])
    bare = refusal(client, server.url, [client.user("Go."), *said, *client.results(said)], store=False)
    assert "could not be verified" in bare
