"""A year as an environment of OpenEnv's server."""

from importlib.metadata import metadata
from pathlib import Path
from random import Random
from typing import Any

from openenv.core.env_server.interfaces import Environment
from openenv.core.env_server.types import EnvironmentMetadata

from ecbench.players.turn import shortened
from ecbench.rl import TRAINING, Setting, Step, YearEnvironment
from ecbench_env.models import YearAction, YearObservation, YearState

YEARLY = ("world_seed", "world", "days", "stake", "rules", "reward", "max_turns")


class OpenEnvYear(Environment[YearAction, YearObservation, YearState]):
    """Every connection has one; its years share nothing with those of others but the worlds."""

    SUPPORTS_CONCURRENT_SESSIONS = True

    def __init__(self, record: Path | None = None) -> None:
        super().__init__()
        self._year = YearEnvironment(Setting(days=90), folder=record, transport="openenv")
        self._state = YearState()

    def reset(self, seed: int | None = None, episode_id: str | None = None, **kwargs: Any) -> YearObservation:
        """A year on the world that is named, or else on a training world that the seed draws."""
        stray = kwargs.keys() - set(YEARLY)
        if stray:
            raise ValueError(f"reset takes no {', '.join(sorted(stray))}; it takes seed, {', '.join(YEARLY)}")
        world_seed = kwargs.pop("world_seed", None)
        if world_seed is None and "world" not in kwargs and seed is not None:
            world_seed = Random(f"openenv {seed}").choice(TRAINING)
        opening = self._year.reset(world_seed, **kwargs)
        self._state = YearState(episode_id=episode_id, step_count=0, world=self._year.world, assets=self._year.assets)
        return YearObservation(brief=opening.brief, tools=opening.tools, assets=self._year.assets, reward=0.0)

    # OpenEnv hands every environment a time limit and more; a step here needs neither.
    def step(self, action: YearAction, timeout_s: float | None = None, **kwargs: Any) -> YearObservation:  # noqa: ARG002
        step: Step = self._year.step(action.calls)
        day = int(self._year.books[0])
        state = self._state
        state.step_count, state.assets, state.day = state.step_count + 1, self._year.assets, day
        return YearObservation(
            replies=[shortened(reply) for reply in step.replies],
            assets=self._year.assets,
            day=day,
            ending=step.ending or "",
            truncated=step.truncated,
            done=step.terminated or step.truncated,
            reward=step.reward,
        )

    @property
    def state(self) -> YearState:
        return self._state

    def get_metadata(self) -> EnvironmentMetadata:
        """What `/metadata` says: the fields of the installed distribution."""
        installed = metadata("openenv-ecbench-env")
        return EnvironmentMetadata(
            name="ecbench",
            description=installed["Summary"],
            version=installed["Version"],
            author=installed["Author"],
            readme_content=installed["Description"],
        )

    def close(self) -> None:
        self._year.close()
