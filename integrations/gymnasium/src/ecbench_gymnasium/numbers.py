"""Years as arrays: an environment of Gymnasium, a vector of them, and one of PettingZoo with several seats.

All three are rows of `ecbench.rl.arrays.ArrayYears`. Observations and actions are dicts of arrays in the layout that
`docs/train.md` of ecbench shows; `info["masks"]` says which choices an action has.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import gymnasium
import numpy as np
from gymnasium import spaces
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space
from numpy.typing import NDArray
from pettingzoo import ParallelEnv

from ecbench.rl import TRAINING, Setting
from ecbench.rl.array_layout import ACTIONS, BLOCKS, ActionField, ArraySizes, action_most, action_shape, block_shape
from ecbench.rl.arrays import ArrayYears
from ecbench.rules import DEFAULT_SET, Rules
from ecbench_gymnasium.world_choice import WorldChoice

Arrays = dict[str, NDArray[Any]]
Action = Mapping[str, Any]
LARGEST = 1e15  # number of an observation


def observation_space(sizes: ArraySizes, rules: Rules) -> spaces.Dict:
    """What one seat sees."""
    return spaces.Dict(
        {name: spaces.Box(-LARGEST, LARGEST, block_shape(name, sizes, rules), np.float64) for name in BLOCKS}
    )


def action_space(sizes: ArraySizes, rules: Rules) -> spaces.Dict:
    """What one seat can do."""
    return spaces.Dict({field.name: _field_space(field, sizes, rules) for field in ACTIONS})


def _field_space(field: ActionField, sizes: ArraySizes, rules: Rules) -> spaces.Space[Any]:
    shape, most = action_shape(field, sizes, rules), action_most(field, sizes, rules)
    if not field.whole:
        return spaces.Box(field.least, most, shape, np.float64)
    first = int(field.least)
    if not shape:
        return spaces.Discrete(int(most) - first + 1, start=first)
    return spaces.MultiDiscrete(np.full(shape, int(most) - first + 1), start=np.full(shape, first))


def rested(sizes: ArraySizes, rules: Rules) -> Arrays:
    """The action that does nothing but wait."""
    return {field.name: np.full(action_shape(field, sizes, rules), field.least) for field in ACTIONS}


class NumericVectorEnv(VectorEnv[Arrays, Arrays, NDArray[Any]]):
    """Years side by side in one process. A year that is over begins anew, on another world, with the next step."""

    metadata = {"autoreset_mode": AutoresetMode.NEXT_STEP}  # noqa: RUF012 - as Gymnasium has it

    def __init__(
        self,
        num_envs: int = 1,
        *,
        world: str | None = None,
        worlds: Sequence[int] = TRAINING,
        days: int | None = 90,
        stake: float | None = None,
        rules: str = DEFAULT_SET,
        reward: str = "change",
        sizes: ArraySizes | None = None,
    ) -> None:
        self._choice = WorldChoice(world, worlds)
        setting = Setting(self._choice.named, days, stake, rules, reward)
        self.years = ArrayYears(num_envs, setting=setting, sizes=sizes)
        self.num_envs = num_envs
        arrays = self.years.arrays
        self.single_observation_space = observation_space(arrays.sizes, arrays.rules)
        self.single_action_space = action_space(arrays.sizes, arrays.rules)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)

    def reset(
        self, *, seed: int | list[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Arrays, dict[str, Any]]:
        """`options` may hold `world_seeds`, one for each year."""
        super().reset(seed=seed if not isinstance(seed, list) else seed[0])
        stray = (options or {}).keys() - {"world_seeds"}
        if stray:
            raise ValueError(f"reset has no option {', '.join(sorted(stray))}; its option is world_seeds")
        seeds = (options or {}).get("world_seeds") or [self._choice.draw(self.np_random) for _ in range(self.num_envs)]
        _, masks = self.years.reset(seeds)
        return self._seen(), {"masks": masks}

    def step(self, actions: Action) -> tuple[Arrays, NDArray[Any], NDArray[Any], NDArray[Any], dict[str, Any]]:
        ended = [int(year) for year in np.flatnonzero(self.years.over)]
        for year in ended:
            self.years.begin(year, self._choice.draw(self.np_random))
        step = self.years.step(actions, resting=ended)
        info = {"masks": step.masks, "assets": np.array([self.years.assets(row) for row in range(self.num_envs)])}
        return self._seen(), step.reward, step.over, np.zeros(self.num_envs, np.bool_), info

    def _seen(self) -> Arrays:
        return {name: array.copy() for name, array in self.years.arrays.observation.items()}


class NumericEnv(gymnasium.Env[Arrays, Action]):
    """One year: a vector of a single row, without its first axis."""

    def __init__(self, **given: Any) -> None:
        self._vector = NumericVectorEnv(1, **given)
        self.observation_space = self._vector.single_observation_space
        self.action_space = self._vector.single_action_space

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Arrays, dict[str, Any]]:
        super().reset(seed=seed)
        seen, info = self._vector.reset(seed=seed, options=options)
        return _first(seen), {"masks": _first(info["masks"])}

    def step(self, action: Action) -> tuple[Arrays, float, bool, bool, dict[str, Any]]:
        batched = {name: np.asarray(array)[None] for name, array in action.items()}
        seen, reward, over, _, info = self._vector.step(batched)
        told = {"masks": _first(info["masks"]), "assets": float(info["assets"][0])}
        return _first(seen), float(reward[0]), bool(over[0]), False, told


def _first(arrays: Arrays) -> Arrays:
    return {name: array[0] for name, array in arrays.items()}


class NumericArena(ParallelEnv[str, Arrays, Action]):  # type: ignore[misc]  # PettingZoo has no types
    """One marketplace with several seats, whose days run by one clock. Seats that are over leave."""

    metadata = {"name": "ecbench_numbers_v0", "render_modes": []}  # noqa: RUF012 - as PettingZoo has it

    def __init__(
        self,
        seats: int = 2,
        *,
        world: str | None = None,
        worlds: Sequence[int] = TRAINING,
        days: int | None = 90,
        stake: float | None = None,
        rules: str = DEFAULT_SET,
        reward: str = "change",
        sizes: ArraySizes | None = None,
    ) -> None:
        self._choice = WorldChoice(world, worlds)
        setting = Setting(self._choice.named, days, stake, rules, reward)
        self.years = ArrayYears(1, seats, setting, sizes)
        self._random = np.random.default_rng()
        self.render_mode = None
        self.possible_agents = [f"seat_{seat}" for seat in range(seats)]
        self.agents: list[str] = []
        arrays = self.years.arrays
        self.observation_spaces = {name: observation_space(arrays.sizes, arrays.rules) for name in self.possible_agents}
        self.action_spaces = {name: action_space(arrays.sizes, arrays.rules) for name in self.possible_agents}
        self._rested = rested(arrays.sizes, arrays.rules)

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        return self.action_spaces[agent]

    def reset(
        self, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Arrays], dict[str, dict[str, Any]]]:
        """`options` may hold a `world_seed`."""
        if seed is not None:
            self._random = np.random.default_rng(seed)
        world_seed = (options or {}).get("world_seed")
        if world_seed is None:
            world_seed = self._choice.draw(self._random)
        seen, masks = self.years.reset([world_seed])
        self.agents = list(self.possible_agents)
        return self._by_agent(seen), {name: {"masks": mask} for name, mask in self._by_agent(masks).items()}

    def step(
        self, actions: dict[str, Action]
    ) -> tuple[dict[str, Arrays], dict[str, float], dict[str, bool], dict[str, bool], dict[str, dict[str, Any]]]:
        given = [actions.get(name, self._rested) for name in self.possible_agents]
        step = self.years.step({name: np.stack([each[name] for each in given]) for name in self._rested})
        seen, masks = self._by_agent(step.observation), self._by_agent(step.masks)
        rows = {name: self.possible_agents.index(name) for name in self.agents}
        rewards = {name: float(step.reward[row]) for name, row in rows.items()}
        over = {name: bool(step.over[row]) for name, row in rows.items()}
        infos = {name: {"masks": masks[name], "assets": self.years.assets(row)} for name, row in rows.items()}
        self.agents = [name for name in self.agents if not over[name]]
        return seen, rewards, over, dict.fromkeys(rows, False), infos

    def _by_agent(self, arrays: Arrays) -> dict[str, Arrays]:
        rows = [(name, self.possible_agents.index(name)) for name in self.agents]
        return {name: {block: array[row].copy() for block, array in arrays.items()} for name, row in rows}
