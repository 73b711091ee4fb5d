"""What the server of Google's generateContent refuses."""

import base64

import pytest
from tests.harness.servers.clients import Client, Google, History
from tests.harness.servers.talks import Change, drop, part, put, refusal, swap, talk
from tests.harness.servers.wire import Server


def resign(history: History) -> None:
    """The second call's place is left alone; the first one's signature goes to it."""
    parts = history[1]["parts"]
    parts[4]["thought_signature"] = parts[1].pop("thought_signature")


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


@pytest.mark.parametrize(("told", "change"), GOOGLE)
@pytest.mark.parametrize("client", [Google], indirect=True)
def test_google_refuses(client: Client, server: Server, told: str, change: Change) -> None:
    history = talk(client, server.url, 2)
    change(history)
    said = refusal(client, server.url, history)
    assert told in said and "INVALID_ARGUMENT" in said


@pytest.mark.parametrize("client", [Google], indirect=True)
def test_google_does_without_the_thoughts(client: Client, server: Server) -> None:
    history = talk(client, server.url, 2)
    for entry in history:
        entry["parts"] = [each for each in entry["parts"] if not each.get("thought")]
    client.ask(server.url, history)
    assert server.refusals == []
