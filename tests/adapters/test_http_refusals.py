"""What a host refuses: malformed turns, missing tokens, too much, too often."""

import json
from contextlib import closing
from http.client import HTTPConnection
from typing import Any
from urllib.parse import urlsplit

import pytest
from tests.adapters.hosting import LETTER, LOOK, WAIT, Client, hosted, turns_of, with_id
from tests.runs.lives import PATIENCE_SECONDS

from ecbench.adapters.rate_limit import BURST_SECONDS, Rate
from ecbench.adapters.serving.limits import Limits
from ecbench.adapters.session_keys import FILE, Keys
from ecbench.errors import RunError
from ecbench.gate import MOST_CALLS
from ecbench.runs.folder import Run
from ecbench.runs.play.episodes import read_episode


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"{",
        b"[]",
        b"7",
        b'{"tool_calls": NaN}',
        b"[" * 5_000,
        {},
        {"tool_calls": []},
        {"tool_calls": {}},
        {"tool_calls": [with_id(LOOK, "a"), with_id(WAIT, "a")]},
        {"tool_calls": [with_id(LOOK, "")]},
        {"tool_calls": [{"id": 7, **LOOK}]},
        {"tool_calls": [LOOK] * (MOST_CALLS + 1)},
        {"tool_calls": [LOOK], "content": 5},
        {"tool_calls": [LOOK], "reasoning_content": []},
    ],
    ids=lambda body: str(body)[:50],
)
def test_a_malformed_turn_is_refused_and_nothing_happens(client: Client, run: Run, body: object) -> None:
    status, told, headers = client.ask("POST", "/v1/actions", body)
    assert (status, list(told)) == (400, ["error"])
    assert headers["cache-control"] == "no-store"
    assert turns_of(run) == 0
    assert client.act(LOOK).body["turn"] == 1


def test_text_that_no_utf8_holds_goes_in_and_out(client: Client, run: Run) -> None:
    odd = client.ask(
        "POST", "/v1/actions", rb'{"tool_calls": [{"id": "\ud800", "name": "\udfff"}], "content": "\ud83d"}'
    )
    assert odd.status == 200
    assert odd.body["tool_responses"][0]["tool_call_id"] == "?"
    assert read_episode(run, 0).turns[0].message["text"] == "?"


@pytest.mark.parametrize(
    "header", ["", "Bearer", "Bearer ", "Bearer wrong", "Basic {token}", "{token}", "Bearer {token}x"]
)
def test_without_a_token_there_is_only_the_health(client: Client, header: str) -> None:
    shown = {"Authorization": header.format(token=client.token)}
    for method, path in (
        ("GET", "/v1/session"),
        ("POST", "/v1/actions"),
        ("GET", "/openapi.json"),
        ("GET", "/nowhere"),
    ):
        status, told, headers = client.ask(method, path, **shown)
        assert (status, list(told)) == (401, ["error"])
        assert headers["cache-control"] == "no-store"
    status, told, _ = client.ask("GET", "/health", **shown)
    assert (status, told) == (200, {"status": "ok"})


def test_addresses_and_methods_that_are_not_served_say_so(client: Client) -> None:
    assert client.ask("GET", "/v1/nothing").status == 404
    answer = client.ask("GET", "/v1/actions")
    assert (answer.status, answer.headers["allow"]) == (405, "POST")
    assert "/openapi.json" in answer.body["error"]


def test_a_body_of_more_than_a_mebibyte_is_refused(client: Client, run: Run) -> None:
    fits = json.dumps({"tool_calls": [LOOK]}).encode().ljust(Limits().body)
    assert client.ask("POST", "/v1/actions", fits).status == 200
    place = urlsplit(client.url)
    for chunked in (False, True):
        with closing(HTTPConnection(place.hostname or "", place.port, timeout=PATIENCE_SECONDS)) as line:
            content: Any = iter([fits, b" "]) if chunked else fits + b" "
            line.request(
                "POST", "/v1/actions", content, {"Authorization": f"Bearer {client.token}"}, encode_chunked=chunked
            )
            answer = line.getresponse()
            assert answer.status == 413
            assert "1,048,576 bytes" in json.load(answer)["error"]
    assert turns_of(run) == 1


def test_a_token_that_is_used_too_often_is_asked_to_slow_down(run: Run) -> None:
    with hosted(run, rate=0.5) as client:
        assert client.ask("GET", "/v1/session").status == 200
        answer = client.ask("GET", "/v1/session")
        assert (answer.status, answer.headers["retry-after"]) == (429, "1")
        assert client.ask("GET", "/health").status == 200


def test_a_rate_allows_a_burst_and_then_so_many_a_second() -> None:
    now = 0.0
    rate = Rate(10, lambda: now)
    assert sum(rate.allows() for _ in range(100)) == 10 * BURST_SECONDS
    now += 0.5
    assert sum(rate.allows() for _ in range(100)) == 5


def test_a_host_keeps_so_many_years_open_and_no_more(run: Run) -> None:
    with hosted(run, most=2) as client:
        other = client.another()
        assert client.ask("POST", "/v1/sessions").status == 429
        assert other.ask("POST", "/v1/sessions").status == 403
        other.ask("POST", "/v1/finish")
        assert client.ask("POST", "/v1/sessions").status == 201
        other.close()


def test_a_second_host_in_the_same_folder_is_refused(run: Run) -> None:
    with hosted(run), pytest.raises(RunError, match="is being written by another process"):
        Keys(run.folder)


def test_a_key_whose_line_is_partial_opens_nothing_and_is_dropped(run: Run) -> None:
    with Keys(run.folder) as keys:
        token = keys.issue(0)
    with (run.folder / FILE).open("ab") as file:
        file.write(b'{"year": 0, "sha')
    with Keys(run.folder) as keys:
        later = keys.issue(1)
    with Keys(run.folder) as keys:
        assert (keys.year_of(token), keys.year_of(later), keys.year_of(""), keys.year_of("x")) == (0, 1, None, None)
    with (run.folder / FILE).open("ab") as file:
        file.write(b'{"year": -1}\n')
    for _ in range(2):  # the lock is released
        with pytest.raises(RunError, match=r"cannot read .*keys\.jsonl"):
            Keys(run.folder)


def test_no_token_is_in_the_run_folder(run: Run) -> None:
    with hosted(run) as client:
        other = client.another()
        for guest in (client, other):
            guest.act(LETTER, WAIT, key="k")
            guest.ask("POST", "/v1/finish")
        tokens = (client.token.encode(), other.token.encode())
        other.close()
    files = [path for path in run.folder.rglob("*") if path.is_file()]
    assert run.folder / FILE in files
    assert [path for path in files for token in tokens if token in path.read_bytes()] == []
    assert (run.folder / FILE).stat().st_mode & 0o077 == 0
