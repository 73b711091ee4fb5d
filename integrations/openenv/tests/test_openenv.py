"""The year under OpenEnv: a server on the loopback, its client, and the year that everybody plays."""

import json
import socket
from collections.abc import Iterator
from pathlib import Path
from threading import Thread
from time import monotonic, sleep
from typing import Any
from urllib.request import urlopen

import pytest

pytest.importorskip("openenv", reason="OpenEnv has an environment of its own: make integrations")
pytest.importorskip("ecbench_env", reason="the skin is installed in an environment of its own: make integrations")

import uvicorn
import yaml
from ecbench_env import EcbenchEnv, YearAction
from ecbench_env.app import year_app

from ecbench import Episode, load_world
from ecbench.players.merchant_player import begin_play
from ecbench.players.merchants.registry import get_merchant

PATIENCE_SECONDS = 60
WAIT = {"name": "wait_for_next_day", "arguments": {}}
HERE = Path(__file__).parents[1]


@pytest.fixture(scope="module")
def record(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("record")


@pytest.fixture(scope="module")
def url(record: Path) -> Iterator[str]:
    server = uvicorn.Server(uvicorn.Config(year_app(record), log_level="warning"))
    with socket.socket() as listening:
        listening.bind(("127.0.0.1", 0))
        thread = Thread(target=server.run, kwargs={"sockets": [listening]})
        thread.start()
        until = monotonic() + PATIENCE_SECONDS
        while not server.started and monotonic() < until:
            sleep(0.02)
        yield f"http://127.0.0.1:{listening.getsockname()[1]}"
        server.should_exit = True
        thread.join(PATIENCE_SECONDS)


def test_a_merchant_is_answered_over_the_wire_as_without_it(url: str, record: Path) -> None:
    direct = Episode(load_world("default"), days=15)
    play = begin_play(get_merchant("haggler", days=15), direct)
    with EcbenchEnv(base_url=url).sync() as client:
        result = client.reset(world="default", days=15)
        assert "after 15 days" in result.observation.brief
        assert len(result.observation.tools) == 18
        calls: Any = next(play)
        paid = 0.0
        while not result.done:
            result = client.step(YearAction(calls=calls))
            replies = direct.act(calls)
            assert [reply[:60_000] for reply in result.observation.replies] == [reply[:60_000] for reply in replies]
            paid += result.reward or 0.0
            if not result.done:
                calls = play.send([json.loads(reply) for reply in replies])
        assert (result.observation.ending, result.observation.truncated) == ("year_end", False)
        assert paid == result.observation.assets - 100_000
        state = client.state()
        assert (state.world, state.day, state.assets) == ("default", 15, result.observation.assets)
    [run] = [path for path in record.iterdir() if "15-days" in path.name]
    assert json.loads((run / "run.json").read_text())["seats"][0]["transport"] == "openenv"


def test_two_connections_play_two_years(url: str) -> None:
    with EcbenchEnv(base_url=url).sync() as one, EcbenchEnv(base_url=url).sync() as other:
        one.reset(seed=1, days=7)
        other.reset(seed=2, days=7, stake=50_000.0)
        assert one.step(YearAction(calls=[WAIT])).observation.day == 1
        assert other.step(YearAction(calls="garbage")).observation.day == 0
        assert one.state().world != other.state().world


def test_any_action_is_answered(url: str) -> None:
    with EcbenchEnv(base_url=url).sync() as client:
        client.reset(world="default", days=7, max_turns=50)
        for calls in (None, "garbage", 7, {"a": [[[]]]}, json.dumps([WAIT]), [WAIT], "[" * 5_000):
            result = client.step(YearAction(calls=calls))
            assert len(result.observation.replies) == 1
            assert not result.done
            client.step(YearAction(calls=[{"name": "check_balance"}]))


def test_a_seed_draws_the_same_world_every_time(url: str) -> None:
    with EcbenchEnv(base_url=url).sync() as client:
        worlds = []
        for seed in (5, 5, 6):
            client.reset(seed=seed, days=7)
            worlds.append(client.state().world)
    assert worlds[0] == worlds[1] != worlds[2]


def test_the_plan_of_the_validator_plays_a_year_to_its_end(url: str) -> None:
    manifest = yaml.safe_load((HERE / "openenv.yaml").read_text())
    plan = json.loads((HERE / manifest["validation"]["execution"]["probe_path"]).read_text())
    reset = plan["reset"]
    with EcbenchEnv(base_url=url).sync() as client:
        client.reset(seed=reset["seed"], episode_id=reset["episode_id"], **reset["options"])
        endings = [client.step(YearAction(**action)).observation.ending for action in plan["actions"]]
        assert client.state().episode_id == reset["episode_id"]
    assert endings == [""] * (len(endings) - 1) + ["year_end"]


def test_the_server_describes_itself_as_the_manifest_does(url: str) -> None:
    manifest = yaml.safe_load((HERE / "openenv.yaml").read_text())
    with urlopen(f"{url}/metadata", timeout=PATIENCE_SECONDS) as answer:
        described = json.load(answer)
    assert (described["name"], described["version"]) == (manifest["name"], manifest["version"])
    assert described["description"].startswith("Run an online store") and described["author"]
    assert described["readme_content"] == (HERE / "README.md").read_text()


def test_the_manifest_names_the_app_and_the_container_starts_it() -> None:
    manifest = yaml.safe_load((HERE / "openenv.yaml").read_text())
    assert (manifest["app"], manifest["port"]) == ("ecbench_env.app:app", 8000)
    container = (HERE / manifest["validation"]["execution"]["dockerfile"]).read_text()
    assert 'CMD ["server", "--host", "0.0.0.0", "--port", "8000"]' in container
