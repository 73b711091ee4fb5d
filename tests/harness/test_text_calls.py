"""Calls as text: the forms in which models write them, what goes back, and a year that is played so."""

import json
import time
from pathlib import Path
from typing import Any

import anyio
import pytest
from tests.harness.provider import Fault, Provider, Turn, listed, serve, settings
from tests.harness.scripts import Diary, YearPlayed, converse_with

import ecbench
from ecbench.harness.brief import Brief
from ecbench.harness.messages import Message, answer_from_json, answer_to_json
from ecbench.harness.text_calls import TEXT_ID, as_text, read_text_calls

NAMES = {"check_balance", "wait_for_next_day", "open_store"}
BALANCE = '{"name": "check_balance", "arguments": {}}'
OPEN = {"store_type": "tea", "store_name": "Leaf {1}"}


@pytest.mark.parametrize(
    ("text", "calls"),
    [
        (f"Let me see.\n```json\n{BALANCE}\n```", ["check_balance"]),
        (f"<tool_call>\n{BALANCE}\n</tool_call>", ["check_balance"]),
        (f"I call {BALANCE} now.", ["check_balance"]),
        (f"```json\n{BALANCE}\n```\nand\n```\n{BALANCE}\n```", ["check_balance"] * 2),
        (f"[{BALANCE}, {BALANCE}]", ["check_balance"] * 2),
        ('{"tool_calls": [{"function": {"name": "check_balance", "arguments": "{}"}}]}', ["check_balance"]),
        ('{"name": "functions.check_balance", "parameters": {}}', ["check_balance"]),
        (f'{{"thought": "first {{", "x": 1}} then {BALANCE}', ["check_balance"]),
        ('{"name": "launch_rocket", "arguments": {}}', ["launch_rocket"]),
        (f'[{BALANCE}, {{"name": "launch_rocket", "arguments": "{{}}"}}]', ["check_balance", "launch_rocket"]),
        ('The store is {"name": "Leaf", "goods": ["tea"]}.', []),
        ('{"name": "check_balance", "arguments": {', []),
        ("I would check the balance.", []),
        ("{" * 5_000, []),
        ("[" * 600 + "]" * 600 + BALANCE, ["check_balance"]),
    ],
)
def test_calls_are_read_from_fences_tags_and_bare_objects_in_the_form_of_a_call(text: str, calls: list[str]) -> None:
    assert [call.name for call in read_text_calls(Message("assistant", text), NAMES, ()).calls] == calls


def test_arguments_are_read_and_ids_are_new() -> None:
    text = f"```json\n{json.dumps({'name': 'open_store', 'arguments': OPEN})}\n```"
    said = read_text_calls(Message("assistant", text), NAMES, ["a", "b"])
    assert said.calls[0].arguments == OPEN and said.calls[0].id == f"{TEXT_ID}2"
    assert as_text(said, ()).calls == () and as_text(said, ()).text == text
    reply = as_text(Message("tool", "{}", answers=said.calls[0]), ())
    assert (reply.role, reply.text) == ("user", "Result of open_store:\n{}")


@pytest.mark.parametrize("arguments", ['"{broken"', '{"current_day": NaN}', "[" * 10 + "]" * 10])
def test_a_call_with_unreadable_arguments_fails_alone_and_does_not_run_without_them(arguments: str) -> None:
    text = f'{{"name": "wait_for_next_day", "arguments": {arguments}}}\n{BALANCE}'
    wait, balance = read_text_calls(Message("assistant", text), NAMES, ()).calls
    assert wait.problem.startswith("the arguments of wait_for_next_day") and not balance.problem


def test_a_long_answer_without_a_call_is_read_in_a_moment() -> None:
    begun = time.process_time()
    assert not read_text_calls(Message("assistant", '{"a": [' * 100_000), NAMES, ()).calls
    assert time.process_time() - begun < 2


def writing(request: dict[str, Any]) -> Turn | Fault:
    """A model that knows no tools but writes what its system message tells it to."""
    if request.get("tools"):
        return Fault(status=400, body={"error": {"message": "scripted does not support tools"}})
    assert "wait_for_next_day" in request["messages"][0]["content"]
    assert {message["role"] for message in request["messages"]} <= {"system", "user", "assistant"}
    return Turn('On with it.\n```json\n{"name": "wait_for_next_day", "arguments": {"current_day": 0}}\n```')


@pytest.mark.parametrize(("calls", "refused"), [("text", 0), ("auto", 1)])
def test_a_model_without_tools_plays_a_year_in_words(small_world: Path, calls: str, refused: int) -> None:
    episode, diary = ecbench.Episode(ecbench.load_world(str(small_world)), days=3), Diary()
    with serve(writing) as provider:
        outcome = anyio.run(converse_with, settings(provider, calls=calls), episode, Brief(), diary)
    assert (outcome.ending, outcome.turns, outcome.reason) == ("year_end", 3, "")
    assert len(provider.requests) == 3 + refused
    last = provider.requests[-1]["messages"]
    assert last[-1]["role"] == "user" and last[-1]["content"].startswith("Result of wait_for_next_day:\n")
    recorded = answer_from_json(json.loads(json.dumps(answer_to_json(diary.answers[0]))))
    assert as_text(recorded.message, ()).text == last[2]["content"]


def test_auto_also_reads_the_text_of_a_model_whose_server_takes_tools(small_world: Path) -> None:
    text = '```json\n{"name": "wait_for_next_day", "arguments": {}}\n```'
    episode = ecbench.Episode(ecbench.load_world(str(small_world)), days=2)
    with serve(lambda request: Turn(text)) as provider:
        outcome = anyio.run(converse_with, settings(provider, calls="auto"), episode, Brief(), Diary())
    assert (outcome.ending, outcome.turns) == ("year_end", 2)
    assert all(request["tools"] for request in provider.requests)


def asked_in_schema(status: int, owner: str = "vllm") -> tuple[YearPlayed, Provider]:
    """One day of a model behind a server that answers a request with a schema by this status."""

    def script(request: dict[str, Any]) -> Turn | Fault:
        if request.get("response_format") and status != 200:
            return Fault(status=status, body={"error": {"message": "response_format is not supported"}})
        return Turn('{"thought": "On.", "tool_calls": [{"name": "wait_for_next_day", "arguments": {}}]}')

    episode = ecbench.Episode(ecbench.load_world("default"), days=2)
    with serve(script, listed(owned_by=owner)) as server:
        return anyio.run(converse_with, settings(server, calls="text"), episode, Brief(), Diary()), server


def test_a_server_that_takes_a_json_schema_gets_one_for_the_calls() -> None:
    outcome, server = asked_in_schema(200)
    assert (outcome.ending, outcome.turns, len(server.requests)) == ("year_end", 2, 2)
    schema = server.requests[0]["response_format"]["json_schema"]["schema"]
    call = schema["properties"]["tool_calls"]["items"]["properties"]
    assert call["name"]["enum"] == [each["function"]["name"] for each in ecbench.tool_schemas()]
    assert "Answer with one JSON object" in server.requests[0]["messages"][0]["content"]


@pytest.mark.parametrize(("status", "owner", "refused"), [(400, "llamacpp", 1), (200, "somebody", 0)])
def test_other_servers_get_none(status: int, owner: str, refused: int) -> None:
    outcome, server = asked_in_schema(status, owner)
    assert (outcome.ending, outcome.turns, len(server.requests)) == ("year_end", 2, 2 + refused)
    assert all("response_format" not in request for request in server.requests[refused:])
    assert "in a fence of its own" in server.requests[-1]["messages"][0]["content"]
