"""Years as arrays in Gymnasium and PettingZoo, by the checkers of both."""

import warnings
from typing import Any

import pytest

pytest.importorskip("gymnasium", reason="Gymnasium has an environment of its own: make integrations")
pytest.importorskip("ecbench_gymnasium", reason="the skin is installed in an environment of its own: make integrations")

import ecbench_gymnasium
import gymnasium
import numpy as np
from gymnasium.utils.env_checker import check_env
from gymnasium.vector import AutoresetMode
from pettingzoo.test import parallel_api_test, parallel_seed_test

NUMBERS = "ecbench_gymnasium:ecbench/Numbers-v0"
SEEDS = [1_000_001, 1_000_002]


def vector(num_envs: int = 2, **given: Any) -> Any:
    return gymnasium.make_vec(NUMBERS, num_envs=num_envs, vectorization_mode="vector_entry_point", **given)


def test_gymnasium_accepts_the_environment_without_a_warning() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        check_env(gymnasium.make(NUMBERS, world="default", days=10).unwrapped)


def test_rows_of_a_vector_are_the_environments_alone() -> None:
    envs, alone = vector(days=6), [gymnasium.make(NUMBERS, days=6) for _ in SEEDS]
    seen, info = envs.reset(seed=1, options={"world_seeds": SEEDS})
    assert envs.observation_space.contains(seen)
    firsts = [env.reset(options={"world_seeds": [seed]}) for env, seed in zip(alone, SEEDS, strict=True)]
    envs.action_space.seed(3)
    for day in range(6):
        for row, (mine, told) in enumerate(firsts):
            assert all(np.array_equal(array[row], mine[name]) for name, array in seen.items())
            assert all(np.array_equal(array[row], told["masks"][name]) for name, array in info["masks"].items())
        action = envs.action_space.sample()
        seen, rewards, over, truncated, info = envs.step(action)
        steps = [env.step({name: array[row] for name, array in action.items()}) for row, env in enumerate(alone)]
        firsts = [(step[0], step[4]) for step in steps]
        assert rewards.tolist() == [step[1] for step in steps]
        assert over.tolist() == [day == 5] * 2 and not truncated.any()


def test_a_year_that_is_over_begins_anew_with_the_next_step() -> None:
    envs = vector(num_envs=1, world="default", days=2)
    assert envs.metadata["autoreset_mode"] == AutoresetMode.NEXT_STEP
    first, _ = envs.reset(seed=1)
    rest = {name: np.zeros((1, *space.shape)) for name, space in envs.single_action_space.items()}
    overs, days = [], []
    for _ in range(4):
        seen, _, over, _, _ = envs.step(rest)
        overs.append(bool(over[0]))
        days.append(seen["shop"][0, 0])
    assert overs == [False, True, False, False]
    assert days[0] == 1 and days[2] == first["shop"][0, 0] == 0 and days[3] == 1


def test_worlds_and_options_are_checked() -> None:
    with pytest.raises(ValueError, match="give a world"):
        ecbench_gymnasium.NumericVectorEnv(worlds=[])
    with pytest.raises(ValueError, match="reset has no option seeds; its option is world_seeds"):
        vector(world="default").reset(options={"seeds": 3})


def test_pettingzoo_accepts_several_seats() -> None:
    parallel_api_test(ecbench_gymnasium.NumericArena(3, world="default", days=20), num_cycles=60)
    parallel_seed_test(lambda: ecbench_gymnasium.NumericArena(2, worlds=SEEDS, days=5), num_cycles=10)


def test_a_seat_that_is_over_leaves_and_the_others_go_on() -> None:
    arena = ecbench_gymnasium.NumericArena(2, world="default", days=40, stake=12_000)
    arena.reset(seed=1)
    waiting = {name: np.zeros(space.shape) for name, space in arena.action_space("seat_0").items()}
    spending = waiting | {"open": np.array(5)}
    left = []
    while arena.agents:
        present = list(arena.agents)
        _, _, over, _, _ = arena.step(
            {"seat_0": waiting, "seat_1": spending} if len(present) > 1 else {present[0]: waiting}
        )
        left += [name for name in present if over[name]]
    assert sorted(left) == ["seat_0", "seat_1"]
