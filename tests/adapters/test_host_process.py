"""`ecbench http` and `ecbench mcp` as processes: what they say, how they end, and that a kill loses no answer."""

import json
import random
import signal
from contextlib import ExitStack, closing, suppress
from http.client import HTTPException
from pathlib import Path
from typing import Any

import pytest
from tests.adapters.hosting import LOOK, WAIT, Client, Json, Survivor, begin, hosted, played_directly, ready
from tests.cli.command import Command
from tests.runs.conftest import TRADER
from tests.runs.lives import Life

from ecbench.players.turn import shortened
from ecbench.runs.folder import open_run
from ecbench.runs.play.episodes import read_episode
from ecbench.runs.play.recorded_table import replay_episode
from ecbench.world.load import load_world

TOKEN = "a token that the test has chosen"
DAYS = 40
KILLS = 6


def started(*arguments: str, log: Path, token: str = TOKEN) -> Life:
    return Life(*arguments, log=log, environment={"ECBENCH_TOKEN": token})


def test_a_host_killed_at_any_instant_loses_no_answered_turn(small_world: Path, tmp_path: Path) -> None:
    world, draws = load_world(small_world), random.Random("kills of a host")
    turns = played_directly(world, TRADER, DAYS)
    command = ("http", "--port", "0", "--out", "run", "--world", str(small_world), "--days", str(DAYS))
    # Soon, since the whole year may take less than a fifth of a second.
    deaths = iter([draws.uniform(0.0, 0.02) for _ in range(KILLS)])
    survivor = Survivor(command, command, tmp_path / "log", TOKEN, deaths)
    try:
        for number, (calls, replies) in enumerate(turns):
            told = survivor.act(calls, f"turn-{number}")["tool_responses"]
            assert [each["content"] for each in told] == [shortened(reply) for reply in replies]
        result = survivor.result()
    finally:
        survivor.client.close()
        survivor.life.cut_short()
    assert survivor.kills >= 3
    assert (result["termination_reason"], result["turns"]) == ("year_end", len(turns))
    run = open_run(tmp_path / "run")
    recording = read_episode(run, 0)
    assert [turn.replies for turn in recording.turns] == [replies for _, replies in turns]
    replay_episode(run.terms, 0, world, recording)


def test_a_host_killed_while_it_opens_a_year_leaves_a_run_that_verifies(
    small_world: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    command = ("http", "--port", "0", "--out", str(tmp_path / "run"), "--world", str(small_world), "--days", "2")
    world = load_world(small_world)
    with hosted(begin(tmp_path / "run", world, small_world, days=2)) as client:
        client.take([WAIT])
        client.take([WAIT])
        assert client.ask("GET", "/v1/result").status == 200
    struck, answered, write = 0, False, 0
    while not answered:
        write += 1
        life = Life(*command, log=tmp_path / "log", environment={"ECBENCH_TOKEN": TOKEN}, fatal_write=write)
        with suppress(OSError, HTTPException, AssertionError), ExitStack() as held:
            client = held.enter_context(closing(Client(ready(life)[0]["base_url"], TOKEN)))
            struck += 1
            answered = client.ask("POST", "/v1/sessions").status == 201
        life.cut_short()
        verified = Command(capsys, "verify", "run")
        assert verified.code == 0, verified.out
    assert struck > 3, "it was killed at several moments within the request"
    assert "opened at the host, and never played" in verified.out


def test_a_host_makes_a_token_and_says_it_once(small_world: Path, tmp_path: Path) -> None:
    life = started("http", "--port", "0", "--world", str(small_world), "--out", "run", log=tmp_path / "log", token="")
    [told] = ready(life)
    assert list(told) == ["status", "base_url", "token"]
    with closing(Client(told["base_url"], told["token"])) as client:
        assert client.act(LOOK).status == 200
    life.send(signal.SIGTERM)
    assert life.end() == 130
    assert life.said.count(told["token"]) == 1
    assert "Traceback" not in life.said


def test_what_goes_wrong_is_logged_without_a_token(small_world: Path, tmp_path: Path) -> None:
    life = started("http", "--port", "0", "--world", str(small_world), "--out", "run", log=tmp_path / "log")
    with closing(Client(ready(life)[0]["base_url"], TOKEN)) as client, closing(client.another()) as other:
        assert other.act(LOOK).status == 200
        open_run(tmp_path / "run").events_path(1).unlink()
        assert other.ask("POST", "/v1/finish").status == 503
        assert other.ask("POST", "/v1/actions", b"{").status == 400
        assert client.ask("GET", f"/v1/session?token={TOKEN.replace(' ', '+')}", Authorization="").status == 401
        assert client.ask("GET", "/v1/nowhere").status == 404
        tokens = [TOKEN, other.token]
    life.send(signal.SIGTERM)
    assert life.end() == 130
    assert "was deleted while its episode was played" in life.said
    assert not [token for token in tokens if token in life.said]


def test_a_chosen_token_is_not_said_and_the_same_command_goes_on(small_world: Path, tmp_path: Path) -> None:
    command = ("http", "--port", "0", "--world", str(small_world), "--days", "9", "--out", "run", "--agent", "me/mine")
    days = []
    for _ in range(2):
        life = started(*command, log=tmp_path / "log")
        [told] = ready(life)
        assert told["token"] is None and TOKEN not in life.said
        with closing(Client(told["base_url"], TOKEN)) as client:
            days.append(json.loads(client.take([WAIT])[0])["day"])
        life.send(signal.SIGINT)
        assert life.end() == 130
    assert days == [1, 2]
    assert open_run(tmp_path / "run").player.agent == "me/mine"


@pytest.mark.parametrize(
    ("transport", "options", "problem"),
    [
        ("http", ("--days", "7"), "was begun with days 6, not 7"),
        ("http", ("--agent", "somebody"), "was begun with agent 'visitor', not 'somebody'"),
        ("http", ("--set", "commission=0.05"), "was begun with rules none, not commission 0.05"),
        ("http", ("--world", "default"), "now has id"),
        ("mcp", (), "was begun with transport 'mcp', not 'http'"),
    ],
)
def test_a_run_goes_on_under_its_own_terms_alone(
    small_world: Path,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    transport: str,
    options: tuple[str, ...],
    problem: str,
) -> None:
    begin(tmp_path / "run", load_world(small_world), small_world, transport=transport)
    refused = Command(capsys, "http", "--port", "0", "--out", str(tmp_path / "run"), *options)
    assert refused.code == 2
    assert problem in refused.err


@pytest.mark.parametrize(
    "command",
    [
        ("http", "--out", "run"),
        ("mcp", "--http", "0", "--out", "run"),
        ("board", "runs", "--no-browser"),
    ],
    ids=lambda command: str(command[0]),
)
@pytest.mark.parametrize("token", ["schlüssel", "a\nb", " a"])
def test_a_token_that_not_every_client_can_send_is_refused_in_one_line(
    command: tuple[str, ...], token: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    refused = Command(capsys, *command, "--token", token)
    assert (refused.code, refused.err.count("\n"), refused.out) == (2, 1, "")
    assert refused.err.startswith("ecbench: --token: a token is made of letters, digits and signs of ASCII")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("folder", ["missing", "taken"])
def test_a_board_makes_no_folder_but_the_usual_one(
    folder: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "taken").write_text("mine")
    refused = Command(capsys, "board", str(tmp_path / folder), "--port", "0", "--no-browser")
    assert (refused.code, refused.err.count("\n")) == (2, 1) and "is not a folder" in refused.err
    assert [path.name for path in tmp_path.iterdir()] == ["taken"]


def test_what_cannot_be_served_is_one_line(
    small_world: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    world = load_world(small_world)
    with hosted(begin(tmp_path / "run", world, small_world)) as client:
        taken = client.url.rpartition(":")[2]
        for options in (("--port", taken), ("--bind", "0.0.0.0"), ("--bind", "nowhere.invalid", "--token", "t")):
            refused = Command(capsys, "http", "--out", str(tmp_path / "other"), *options)
            assert (refused.code, refused.err.count("\n"), refused.out) == (2, 1, "")
    assert not (tmp_path / "other").exists()


def mcp_call(client: Client, name: str, **arguments: Any) -> Json:
    """A tool call as a client of the protocol posts it."""
    asked = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": name, "arguments": arguments}}
    accepts = {"Accept": "application/json, text/event-stream", "Content_Type": "application/json"}
    answer = client.ask("POST", "/mcp", asked, **accepts)
    assert answer.status == 200, answer
    reply: Json = json.loads(answer.body["result"]["content"][0]["text"])
    return reply


def test_an_mcp_server_that_is_killed_continues_in_another_process(small_world: Path, tmp_path: Path) -> None:
    command = ("mcp", "--http", "0", "--out", "run", "--world", str(small_world))
    days: list[int] = []
    for _ in range(2):
        life = started(*command, log=tmp_path / "log")
        [told] = ready(life)
        assert (tmp_path / "run").exists() == bool(days), "a year begins with its first call"
        with closing(Client(told["base_url"].removesuffix("/mcp"), TOKEN)) as client:
            days.append(mcp_call(client, "wait_for_next_day")["day"])
        life.send(signal.SIGKILL)
        life.end()
    assert days == [1, 2]
