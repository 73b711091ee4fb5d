"""A year as an environment of Gymnasium: text in, text and seven numbers out."""

import json
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any, SupportsFloat

import gymnasium
import numpy as np
from gymnasium import spaces
from gymnasium.error import CustomSpaceError
from gymnasium.vector.utils.shared_memory import create_shared_memory
from numpy.typing import NDArray

from ecbench.rl import BOOKS, TRAINING, Setting, Step, YearEnvironment
from ecbench.rl.environment import LONGEST_OBSERVATION, as_observation
from ecbench.rules import DEFAULT_SET
from ecbench_gymnasium.world_choice import WorldChoice

ASCII = "".join(map(chr, range(32, 128)))
LONGEST_ACTION = 65_536  # characters that `sample` may come up with; longer ones are read as well
LEAST = (0, 0, -1e15, -1e15, -1e15, 0, 0)
MOST = (36_525, 1_440, 1e15, 1e15, 1e15, 64, 10_000_000)
YEARLY = ("days", "stake", "rules", "reward", "max_turns")

Observation = dict[str, Any]


class Replies(spaces.Text):
    """Texts that Gymnasium does not put into shared memory: it reads them there once, before they are written."""


@create_shared_memory.register(Replies)
def _refuse_shared_memory(_space: Replies, *_more: Any, **_options: Any) -> None:
    raise CustomSpaceError("replies are texts; give vector_kwargs={'shared_memory': False}")


class YearEnv(gymnasium.Env[Observation, str]):
    """Every reset begins a year on `world`, or on a fresh world that is drawn from the seeds of `worlds`."""

    metadata = {"render_modes": ["ansi"], "render_fps": 1}  # noqa: RUF012 - as Gymnasium has it

    def __init__(
        self,
        *,
        world: str | None = None,
        worlds: Sequence[int] = TRAINING,
        days: int | None = 90,
        stake: float | None = None,
        rules: str = DEFAULT_SET,
        reward: str = "change",
        max_turns: int = 4_000,
        record: str | Path | None = None,
        render_mode: str | None = None,
    ) -> None:
        self._choice = WorldChoice(world, worlds)
        setting = Setting(self._choice.named, days, stake, rules, reward, max_turns)
        self._year = YearEnvironment(setting, folder=Path(record) if record else None, transport="gymnasium")
        self._world = setting.world
        self.render_mode = render_mode
        self.observation_space = spaces.Dict(
            {
                "replies": Replies(LONGEST_OBSERVATION, min_length=0, charset=ASCII),
                "books": spaces.Box(np.array(LEAST, np.float64), np.array(MOST, np.float64), dtype=np.float64),
            }
        )
        self.action_space = spaces.Text(LONGEST_ACTION, min_length=0, charset=ASCII + "\n\t")

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        super().reset(seed=seed)
        wishes = dict(options or {})
        world_seed = wishes.pop("world_seed", None)
        stray = wishes.keys() - set(YEARLY)
        if stray:
            known = ", ".join(("world_seed", *YEARLY))
            raise ValueError(f"reset has no option {', '.join(sorted(stray))}; its options are {known}")
        if world_seed is None:
            world_seed = self._choice.draw(self.np_random)
        opening = self._year.reset(world_seed, **wishes)
        self._world = self._year.world
        return self._observed([json.dumps({"brief": opening.brief})]), self._info()

    def step(self, action: str) -> tuple[Observation, SupportsFloat, bool, bool, dict[str, Any]]:
        step = self._year.step(action)
        return self._observed(step.replies), step.reward, step.terminated, step.truncated, self._info(step)

    def render(self) -> str | None:
        if self.render_mode != "ansi":
            return None
        books = dict(zip(BOOKS, self._year.books, strict=True))
        money = ", ".join(f"{name} ¥{books[name]:,.2f}" for name in ("bank", "wallet", "escrow"))
        return f"{self._world}, day {books['day']:.0f}: {money}, {books['stores']:.0f} stores"

    def close(self) -> None:
        self._year.close()

    def _observed(self, replies: list[str]) -> Observation:
        books: NDArray[np.float64] = np.clip(np.array(self._year.books, np.float64), LEAST, MOST)
        return {"replies": as_observation([escaped(reply) for reply in replies]), "books": books}

    def _info(self, step: Step | None = None) -> dict[str, Any]:
        info = {"assets": self._year.assets, "world": self._world}
        return info if step is None or step.ending is None else {**info, "ending": step.ending}


def escaped(reply: str) -> str:
    """The same JSON in ASCII, the letters that a space of Gymnasium can list."""
    return reply if reply.isascii() else re.sub(r"[^\x00-\x7f]", lambda found: json.dumps(found[0])[1:-1], reply)
