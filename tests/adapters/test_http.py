"""A year over HTTP: what is asked and answered, and that a turn sent twice runs once."""

import json
from contextlib import closing
from pathlib import Path

import pytest
from examples.http_agent import play
from tests.adapters.hosting import (
    LETTER,
    LOOK,
    WAIT,
    Client,
    begin,
    hosted,
    turns_of,
    with_id,
)
from tests.cli.command import Command
from tests.harness.provider import KEY, MODEL, Turn, serve
from tests.runs.conftest import files_no_larger_than

from ecbench.harness.brief import FIRST_USER_MESSAGE, SEVERAL_CALLS_A_TURN, Brief, client_message
from ecbench.runs.folder import Run, open_run
from ecbench.runs.play.episodes import read_episode
from ecbench.tools import tool_schemas
from ecbench.world.load import load_world
from ecbench.world.model import World

# What is asked and answered


def test_a_session_has_the_turns_of_this_transport_the_job_the_tools_and_the_terms(
    client: Client, world: World
) -> None:
    status, session, _ = client.ask("GET", "/v1/session")
    job = client_message(Brief(days=6).on(world), SEVERAL_CALLS_A_TURN)
    assert status == 200
    assert session.pop("messages") == [
        {"role": "system", "content": job},
        {"role": "user", "content": FIRST_USER_MESSAGE},
    ]
    assert session.pop("tools") == tool_schemas()
    assert session == {
        "allow_parallel_tool_calls": True,
        "max_turns": 4_000,
        "config": {
            "max_day": 6,
            "initial_balance": 100_000.0,
            "daily_fee": 60.0,
            "run_index": 0,
            "max_tool_response_chars": 65_536,
        },
    }


def test_a_turn_answers_every_call_in_order_and_the_last_one_has_the_ending(client: Client, run: Run) -> None:
    said = {"content": "On.", "reasoning_content": "Why not?"}
    status, first, _ = client.ask("POST", "/v1/actions", {"tool_calls": [with_id(LOOK, "a"), WAIT], **said})
    assert status == 200
    assert [each["tool_call_id"] for each in first["tool_responses"]] == ["a", "call_1_1"]
    assert [json.loads(response["content"])["day"] for response in first["tool_responses"]] == [0, 1]
    assert (first["turn"], first["done"], first["termination_reason"]) == (1, False, None)
    for turn in range(2, 7):
        last = client.act(WAIT).body
        assert last["turn"] == turn
    assert (last["done"], last["termination_reason"]) == (True, "year_end")
    assert last["termination_detail"] == "year end, on day 6, with ¥100,000.00"
    assert client.act(WAIT).status == 409
    assert read_episode(run, 0).turns[0].message == {"text": "On.", "reasoning": "Why not?"}


def test_the_result_is_there_once_the_year_is_over(client: Client) -> None:
    assert client.ask("GET", "/v1/result").status == 409
    assert client.act(LOOK).status == 200
    finished = client.ask("POST", "/v1/finish")
    assert finished.status == 200
    assert finished.body == {
        "termination_reason": "idle",
        "termination_detail": "the agent ended the year, on day 0, with ¥100,000.00",
        "reward_meta": {
            "final_assets": 100_000.0,
            "initial_balance": 100_000.0,
            "multiplier": 1.0,
            "tool_calls": 1,
        },
        "env_completed": False,
        "env_terminated": False,
        "final_state": 100_000.0,
        "books": {"date": "2026-01-01", "day": 0, "total_assets": 100_000.0, "bankrupt": False},
        "turns": 1,
    }
    assert client.ask("GET", "/v1/result").body == finished.body
    assert client.ask("POST", "/v1/finish").body == finished.body
    assert client.act(WAIT).status == 409


def test_the_example_plays_a_year(client: Client) -> None:
    result = play(client.url, client.token)
    assert (result["termination_reason"], result["turns"]) == ("year_end", 6)


def test_years_at_one_host_do_not_touch_one_another(client: Client, run: Run) -> None:
    other = client.another()
    assert other.ask("GET", "/v1/session").body["config"]["run_index"] == 1
    client.take([WAIT, LOOK])
    other.take([WAIT])
    assert json.loads(other.take([LOOK])[0])["day"] == 1
    run = open_run(run.folder)
    assert (run.episodes, turns_of(run, 0), turns_of(run, 1)) == (2, 1, 2)
    other.close()


# The same turn twice


def test_a_turn_under_a_key_runs_once_and_is_answered_alike(client: Client, run: Run) -> None:
    first = client.act(LETTER, WAIT, key="k1")
    assert client.act(LETTER, WAIT, key="k1").body == first.body
    client.act(WAIT, key="k2")
    assert client.act(LETTER, WAIT, key="k1").body == first.body  # no longer the last one
    assert turns_of(run) == 2


def test_a_key_stands_for_the_calls_that_it_came_with(client: Client, run: Run) -> None:
    client.act(LOOK, key="k1")
    refused = client.act(WAIT, key="k1")
    assert (refused.status, refused.body["error"]) == (
        400,
        "this Idempotency-Key came with other calls before, in turn 1",
    )
    assert turns_of(run) == 1


def test_a_turn_with_the_ids_of_the_last_one_runs_once(client: Client, run: Run) -> None:
    first = client.act(with_id(LETTER, "a"), with_id(WAIT, "b"))
    assert client.act(with_id(LETTER, "a"), with_id(WAIT, "b")).body == first.body
    assert client.act(with_id(WAIT, "a"), with_id(LOOK, "b")).status == 400
    assert turns_of(run) == 1
    assert client.act(with_id(WAIT, "b"), with_id(LOOK, "c")).body["turn"] == 2


def test_a_host_that_starts_again_knows_turns_tokens_and_results(run: Run) -> None:
    with hosted(run) as client:
        other = client.another()
        first = client.act(with_id(LETTER, "a"), key="k1")
        second = client.act(with_id(WAIT, "b"))
        finished = other.ask("POST", "/v1/finish").body
        token, others_token = client.token, other.token
        other.close()
    with hosted(open_run(run.folder)) as again, closing(Client(again.url, token)) as client:
        assert client.act(with_id(WAIT, "b")).body == second.body
        assert client.act(with_id(LETTER, "a"), key="k1").body == first.body
        assert client.act(WAIT).body["turn"] == 3
        with closing(Client(again.url, others_token)) as other:
            assert other.ask("GET", "/v1/result").body == finished
            assert other.act(WAIT).status == 409


def test_a_turn_that_the_disk_does_not_take_has_not_happened_and_can_be_sent_again(client: Client, run: Run) -> None:
    client.act(WAIT)
    with files_no_larger_than(run.events_path(0).stat().st_size):
        refused = client.act(LETTER, WAIT, key="k")
    assert (refused.status, turns_of(run)) == (503, 1)
    again = client.act(LETTER, WAIT, key="k")
    assert (again.status, again.body["turn"], turns_of(run)) == (200, 2, 2)
    assert json.loads(again.body["tool_responses"][1]["content"])["day"] == 2


def test_suppliers_may_speak_through_a_model_which_is_asked_once_for_a_letter(
    tmp_path: Path, small_world: Path, world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LOOPBACK_API_KEY", KEY)
    with serve(lambda _: Turn("Tea, dear customer, and nothing but tea.")) as provider:
        model = {"supplier": {"base_url": provider.url}}
        run = begin(tmp_path / "spoken", world, small_world, voice=f"openai-api/loopback/{MODEL}", model=model)
        with hosted(run) as client:
            [letter] = client.take([LETTER], key="k")
        with hosted(run) as client:
            assert client.take([LETTER], key="k") == [letter]
            client.take([WAIT])
        assert "nothing but tea" in letter
        letters = [asked for asked in provider.requests if len(asked["messages"]) > 1]
        assert len(letters) == 1  # beside the question whether it is there, as the year is opened


# What becomes of the run


def test_a_year_of_an_external_agent_is_not_ranked_and_only_its_host_continues_it(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    world = load_world("default")
    run = begin(tmp_path / "run", world, days=365, max_turns=3)
    with hosted(run) as client:
        client.act(WAIT)
        going_on = Command(capsys, "resume", str(run.folder))
        assert going_on.code == 2
        assert "continue it where it was begun (http), or fork it" in going_on.err
        client.act(WAIT)
        assert client.act(WAIT).body["termination_reason"] == "turn_limit"
    told = json.loads(Command(capsys, "resume", str(run.folder), "--json").out)
    assert (told["transport"], told["rank"]) == ("http", None)
    assert told["axes"]["final_assets"] == 100_000
    table = " ".join(Command(capsys, "resume", str(run.folder)).out.split())
    assert "Shown alone: reached its turn limit on day" in table
    assert Command(capsys, "verify", str(run.folder)).code == 0
    fork = ("--day", "1", "--agent", "idle", "--out", str(tmp_path / "fork"), "--json")
    taken_over = json.loads(Command(capsys, "fork", str(run.folder), *fork).out)
    assert (taken_over["transport"], taken_over["episodes"][0]["ending"]) == ("", "turn_limit")
