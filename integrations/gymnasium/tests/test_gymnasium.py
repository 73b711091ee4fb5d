"""The year under Gymnasium: checked by Gymnasium, and the year that everybody plays."""

import json
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("gymnasium", reason="Gymnasium has an environment of its own: make integrations")
pytest.importorskip("ecbench_gymnasium", reason="the skin is installed in an environment of its own: make integrations")

import gymnasium
from gymnasium import spaces
from gymnasium.utils.env_checker import check_env

from ecbench import Episode, load_world
from ecbench.players.merchant_player import begin_play
from ecbench.players.merchants.registry import get_merchant
from ecbench.rl import TRAINING

YEAR = "ecbench/Year-v0"
WAIT = '[{"name": "wait_for_next_day", "arguments": {}}]'


@pytest.mark.filterwarnings("error")
def test_gymnasium_finds_the_year_and_has_nothing_to_object_to() -> None:
    env = gymnasium.make(f"ecbench_gymnasium:{YEAR}", days=7, worlds=[1_000_001, 1_000_002])
    check_env(env.unwrapped, skip_render_check=True)
    env.close()


def test_a_merchant_is_answered_as_without_gymnasium() -> None:
    env = gymnasium.make(YEAR, world="default", days=20)
    direct = Episode(load_world("default"), days=20)
    play = begin_play(get_merchant("haggler", days=20), direct)
    observation, info = env.reset()
    assert "after 20 days" in json.loads(observation["replies"])[0]["brief"]
    assert (info["world"], info["assets"]) == ("default", 100_000)
    calls: Any = next(play)
    paid, over = 0.0, False
    while not over:
        observation, reward, terminated, truncated, info = env.step(json.dumps(calls))
        assert env.observation_space.contains(observation)
        replies = direct.act(calls)
        told = json.loads(observation["replies"])
        assert [each for each in told if isinstance(each, dict)] == [
            json.loads(reply) for reply, each in zip(replies, told) if isinstance(each, dict)
        ]
        paid += float(reward)
        over = terminated or truncated
        if not over:
            calls = play.send([json.loads(reply) for reply in replies])
    assert (terminated, truncated, info["ending"]) == (True, False, "year_end")
    assert paid == info["assets"] - 100_000
    assert abs(info["assets"] - (direct.bank + direct.wallet)) < 0.001
    env.close()


def test_seeds_draw_training_worlds_and_draw_them_again() -> None:
    env = gymnasium.make(YEAR, days=7)
    first = [env.reset(seed=3)[1]["world"], env.reset()[1]["world"]]
    again = [env.reset(seed=3)[1]["world"], env.reset()[1]["world"]]
    assert first == again
    assert first[0] != first[1]
    assert all(int(name.removeprefix("seed-")) in TRAINING for name in first)
    env.close()


def test_a_reset_may_change_world_length_and_stake() -> None:
    env = gymnasium.make(YEAR, render_mode="ansi")
    observation, info = env.reset(options={"world_seed": 1_000_005, "days": 3, "stake": 5_000.0})
    assert (info["world"], info["assets"]) == ("seed-1000005", 5_000)
    assert "after 3 days" in json.loads(observation["replies"])[0]["brief"]
    assert env.render() == "seed-1000005, day 0: bank ¥5,000.00, wallet ¥0.00, escrow ¥0.00, 0 stores"
    with pytest.raises(ValueError, match="reset has no option seeds; its options are world_seed, days"):
        env.reset(options={"seeds": 3})
    env.close()


def side_by_side(*, shared: bool, **given: Any) -> Any:
    vector = {"shared_memory": shared}
    return gymnasium.make_vec(YEAR, num_envs=2, vectorization_mode="async", vector_kwargs=vector, days=2, **given)


class Greeting(gymnasium.Env[str, int]):
    """A text in Gymnasium's own space."""

    observation_space = spaces.Text(5, charset=" helo")
    action_space = spaces.Discrete(1)

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[str, dict[str, Any]]:
        super().reset(seed=seed)
        return "hello", {}

    def step(self, action: int) -> tuple[str, float, bool, bool, dict[str, Any]]:
        return "hello", 0.0, False, False, {}


@pytest.mark.parametrize(("shared", "arrives"), [(True, " " * 5), (False, "hello")])
def test_gymnasium_reads_texts_in_shared_memory_before_they_are_written(shared: bool, arrives: str) -> None:
    """Should this fail, the environment need not refuse shared memory any more."""
    envs = gymnasium.vector.AsyncVectorEnv([Greeting], shared_memory=shared)
    try:
        assert envs.reset(seed=1)[0] == (arrives,)
        assert envs.step([0])[0] == (arrives,)
    finally:
        envs.close()


def test_shared_memory_is_refused_since_texts_never_arrive_there() -> None:
    with pytest.raises(ValueError, match="shared_memory=False"):
        side_by_side(shared=True, world="default")


def test_years_run_side_by_side_in_processes(tmp_path: Path) -> None:
    envs = side_by_side(shared=False, world="default", record=tmp_path)
    try:
        observations, _ = envs.reset(seed=1)
        assert [json.loads(text)[0].keys() for text in observations["replies"]] == [{"brief"}] * 2
        _, _, terminated, truncated, _ = envs.step((WAIT, "garbage"))
        assert not terminated.any() and not truncated.any()
        observations, _, terminated, _, _ = envs.step((WAIT, WAIT))
        assert terminated.tolist() == [True, False]
        assert observations["books"][1][0] == 1
    finally:
        envs.close()
    runs = sorted(path.name for path in tmp_path.iterdir())
    assert runs == ["default_2-days_policy", "default_2-days_policy-2"]
    assert json.loads((tmp_path / runs[0] / "run.json").read_text())["seats"][0]["transport"] == "gymnasium"
