"""`ecbench arena` with seats for the outside, as a process: played over HTTP and MCP, killed, and gone on with."""

import asyncio
import json
import random
import re
import signal
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from http.client import HTTPException
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import httpx
import pytest
from tests.adapters.hosting import LOOK, WAIT, Client, Survivor, ready
from tests.adapters.test_host_process import mcp_call
from tests.cli.command import Command
from tests.runs.conftest import TRADER, verify
from tests.runs.lives import PATIENCE_SECONDS, Life

from ecbench.adapters.hosted_run import HostedRun, SeatKey
from ecbench.adapters.serving.asgi import RequestRefused
from ecbench.adapters.session_keys import Keys
from ecbench.episode import Episode
from ecbench.players.merchant_player import begin_play
from ecbench.players.merchants.registry import get_merchant
from ecbench.runs.folder import create_run, open_run
from ecbench.runs.play.external_seats import external_seats
from ecbench.runs.results.year_view import view_year
from ecbench.runs.terms import SeatTerms, Terms
from ecbench.world.load import load_world

Capture = pytest.CaptureFixture[str]
DAYS = 40
KILLS = 6


def reports(folder: Path) -> list[dict[str, Any]]:
    """The measures of each seat in the first episode."""
    seats: list[dict[str, Any]] = json.loads((folder / "episodes/0/metrics.json").read_text())["seats"]
    return seats


def test_an_arena_killed_at_any_instant_loses_no_answered_turn(
    small_world: Path, tmp_path: Path, capsys: Capture
) -> None:
    terms = ("--worlds", str(small_world), "--days", str(DAYS))
    alone = Command(capsys, "arena", "--seats", f"{TRADER},{TRADER},idle", *terms, "--out", "b", "-q")
    assert alone.code == 0, alone.err
    draws = random.Random("kills of an arena")
    first = ("arena", "--seats", f"{TRADER},http,idle", *terms, "--out", "a")
    deaths = iter([draws.uniform(0.0, 0.02) for _ in range(KILLS)])
    again = ("resume", "a", "--port", "0", "--quiet")
    survivor = Survivor((*first, "--port", "0", "--quiet"), again, tmp_path / "log", "", deaths)
    plan: Any = begin_play(get_merchant(TRADER, days=DAYS), Episode(load_world(str(small_world)), days=DAYS))
    turns, done, calls = 0, False, next(plan)
    while not done:
        body = survivor.act([dict(call) for call in calls], f"turn-{turns}")
        turns, done = turns + 1, body["done"]
        assert body["turn"] == turns
        if not done:
            calls = plan.send([json.loads(response["content"]) for response in body["tool_responses"]])
    assert survivor.result()["turns"] == turns
    survivor.client.close()
    assert survivor.life.end() in (0, -signal.SIGKILL), survivor.life.said
    assert Command(capsys, "resume", "a", "--port", "0", "-q").code == 0
    assert survivor.kills >= 3, turns
    one, two = (reports(tmp_path / name) for name in "ab")
    assert (one[0], one[2]) == (two[0], two[2])
    tables = [view_year(open_run(tmp_path / name).at_seat(0, 1), 0).tables for name in "ab"]
    assert tables[0] == tables[1]
    verify(open_run(tmp_path / "a"))


def test_episodes_are_played_one_after_another_and_each_has_a_token(small_world: Path, tmp_path: Path) -> None:
    terms = ("--worlds", str(small_world), "--days", "3", "--rounds", "2", "--port", "0", "--out", "a", "--json")
    life = Life("arena", "--seats", "http,http:two,idle", *terms, log=tmp_path / "log")
    told = ready(life, 2)
    assert [line["seat"] for line in told] == ["http", "http:two"]
    one, two = (Client(line["base_url"], line["token"]) for line in told)
    assert one.ask("GET", "/v1/session").body["config"]["run_index"] == 0
    assert one.ask("POST", "/v1/sessions").status == 409  # the year is not over
    with ThreadPoolExecutor(1) as thread:
        leaving = thread.submit(two.ask, "POST", "/v1/finish")  # when its turn comes
        for day in range(1, 4):
            assert json.loads(one.take([WAIT])[0])["day"] == day
        assert leaving.result(PATIENCE_SECONDS).body["books"]["day"] == 0
    assert one.act(WAIT).status == 409
    assert [client.ask("GET", "/v1/result").status for client in (one, two)] == [200, 200]
    nexts = [client.another() for client in (one, two)]
    assert nexts[0].ask("GET", "/v1/session").body["config"]["run_index"] == 1
    assert nexts[1].ask("POST", "/v1/sessions").body["error"].startswith("the arena has no episode after this one")
    with ThreadPoolExecutor(2) as threads:
        assert [told.status for told in threads.map(lambda client: client.ask("POST", "/v1/finish"), nexts)] == [
            200
        ] * 2
    for client in (one, two, *nexts):
        client.close()
    assert life.end() == 0, life.said
    for episode in range(2):
        verify(open_run(tmp_path / "a"), episode)


def test_a_seat_that_must_play_on_is_told_so_while_another_waits_for_the_next_episode(
    small_world: Path, tmp_path: Path
) -> None:
    seats = (SeatTerms("http", transport="http"), SeatTerms("http:two", transport="http"))
    terms = Terms.of_seats(load_world(str(small_world)), seats, 3, 100_000.0)
    run = create_run(tmp_path / "run", terms, episodes=2, world_source=str(small_world))
    external = external_seats(run)

    async def ask() -> None:
        with Keys(run.folder) as keys:
            hosted = HostedRun(run, keys, 1e6, external)
            one, two = (hosted.over("http")(hosted.issue(SeatKey(0, entry))) for entry in range(2))
            one.over = True
            waiting = asyncio.create_task(hosted.add(one))
            await asyncio.sleep(0.1)
            try:
                with pytest.raises(RequestRefused, match="not over yet"):
                    await asyncio.wait_for(hosted.add(two), PATIENCE_SECONDS)
                assert not waiting.done()
            finally:
                for seat in external[1].values():
                    seat.abandon("the market closes")
                await asyncio.wait([waiting], timeout=PATIENCE_SECONDS)
            assert isinstance(waiting.exception(), RequestRefused)

    asyncio.run(ask())


def test_a_seat_over_mcp_and_one_over_http_keep_their_tokens_when_a_killed_arena_goes_on(
    small_world: Path, tmp_path: Path
) -> None:
    terms = ("--worlds", str(small_world), "--days", "2", "--port", "0", "--out", "a", "--quiet")
    life = Life("arena", "--seats", "mcp:claude,http", *terms, log=tmp_path / "log")
    tokens = [line["token"] for line in ready(life, 2)]
    for day in (1, 2):
        over_http, over_mcp = ready(life, 2)
        assert over_mcp["base_url"].endswith("/mcp")
        with (
            closing(Client(over_http["base_url"], tokens[1])) as one,
            closing(Client(over_http["base_url"], tokens[0])) as two,
            ThreadPoolExecutor(1) as thread,
        ):
            assert one.ask("GET", "/v1/session").status == 401  # a seat is played by its own transport
            assert two.ask("POST", "/mcp", {}).status == 401
            closing_too = thread.submit(two.take, [LOOK, WAIT])
            assert mcp_call(one, "wait_for_next_day")["day"] == day
            assert len(closing_too.result(PATIENCE_SECONDS)) == 2
            if day == 2:
                assert two.ask("GET", "/v1/result").body["termination_reason"] == "year_end"
                assert life.end() == 0, life.said
            else:
                life.send(signal.SIGKILL)
                life.end()
                life = Life("resume", "a", "--port", "0", "--quiet", log=tmp_path / "log")
    run = open_run(tmp_path / "a")
    verify(run)
    assert all(token not in (tmp_path / "a/keys.jsonl").read_text() for token in tokens)
    played = run.terms_of(0)
    limits = [(each.transport, played.turn_limit(seat)) for seat, each in enumerate(played.seats)]
    assert limits == [("mcp", 40_000), ("http", 4_000)]


def test_a_person_plays_on_pages_that_only_the_printed_address_opens(small_world: Path, tmp_path: Path) -> None:
    terms = ("--worlds", str(small_world), "--days", "1", "--port", "0", "--out", "a", "--quiet")
    life = Life("arena", "--seats", "idle,person:ann", *terms, log=tmp_path / "log")
    [told] = ready(life)
    url = urlsplit(told["base_url"])
    with closing(Client(f"http://{url.netloc}", "")) as client:
        assert client.ask("GET", url.path).status == 401
        opened = httpx.Client(base_url=f"http://{url.netloc}", follow_redirects=True, timeout=PATIENCE_SECONDS)
        page = opened.get(f"{url.path}?{url.query}")
        mark = re.search(r'csrf-token" content="([^"]+)"', page.text)
        assert page.status_code == 200 and mark
        year = f"/api{url.path}"
        assert opened.get(year).json()["playable"]
        made = opened.post(f"{year}/act", json={"calls": [WAIT]}, headers={"x-csrf-token": mark[1]})
        assert made.json()["over"], made.text
        refused = opened.post("/api/play", json={"days": 3}, headers={"x-csrf-token": mark[1]})
        assert refused.status_code == 409 and "one arena" in refused.text
        opened.close()
    life.send(signal.SIGINT)
    assert life.end() == 0, life.said
    verify(open_run(tmp_path / "a"))


def test_a_stop_releases_clients_that_wait_for_a_later_episode(small_world: Path, tmp_path: Path) -> None:
    terms = ("--worlds", str(small_world), "--days", "3", "--rounds", "2", "--port", "0", "--out", "a")
    life = Life("arena", "--seats", "idle,mcp", *terms, log=tmp_path / "log")
    first, second = ready(life, 2)
    assert (first["episode"], second["episode"]) == (0, 1)
    with (
        closing(Client(second["base_url"].removesuffix("/mcp"), second["token"])) as client,
        ThreadPoolExecutor(1) as thread,
    ):
        waiting = thread.submit(mcp_call, client, "check_balance")
        time.sleep(0.5)
        life.send(signal.SIGINT)
        cut_off = waiting.exception(PATIENCE_SECONDS)  # where the request was too slow to arrive before the signal
        assert isinstance(cut_off, OSError | HTTPException) or "stopped" in waiting.result()["error"]
    assert life.end() == 130
    assert "Continue with: ecbench resume a" in life.said and "Traceback" not in life.said
    assert not life.orphans()


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--seats", "http,idle", "--jobs", "2"], "episodes are played one after another"),
        (["--seats", "http:a b,idle"], "'http:a b': behind http: comes a name of up to 40 letters"),
        (["--seats", "http:,idle"], "as in http:my-agent"),
        (["--seats", "mcp:../x,idle"], "as in mcp:my-agent"),
        (["--seats", "person:" + "x" * 41 + ",idle"], "as in person:my-agent"),
        (["--seats", "http,idle", "--bind", "192.0.2.1"], "cannot listen on 192.0.2.1"),
    ],
)
def test_bad_input_is_one_clear_line(options: list[str], message: str, tmp_path: Path, capsys: Capture) -> None:
    told = Command(capsys, "arena", *options, "--out", str(tmp_path / "arena"))
    assert (told.code, told.err.count("\n")) == (2, 1) and message in told.err
    assert not (tmp_path / "arena").exists()
