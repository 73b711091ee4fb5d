"""What an executor is, and how often it may lose the worker of an episode."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

from ecbench.cancellation import StopFlag
from ecbench.runs.folder import Run
from ecbench.runs.play.episodes import Listener, Result
from ecbench.world.model import World

ATTEMPTS = 3


@dataclass(frozen=True, slots=True)
class Work:
    """What an executor is given to do."""

    run: Run
    episodes: Sequence[int]
    world: World  # of the first episode of the run
    jobs: int
    listener: Listener
    stop: StopFlag

    def world_of(self, episode: int) -> World:
        """Raises RunError where it cannot be found."""
        return self.world if self.run.site(episode) == self.run.sites[0] else self.run.load_world(episode)


@runtime_checkable
class Executor(Protocol):
    """A place where episodes are played."""

    def play(self, work: Work) -> list[Result]:
        """Play these episodes of the run, at most `jobs` at a time, each from where its record stands.

        The listener is told of everything from the calling thread. When a stop is requested, episodes end after
        their turn and those that have not begun do not begin.
        """
        ...


class Losses:
    """Workers lost in a row without a new turn, by episode: whatever kills a worker each time is not bad luck."""

    def __init__(self) -> None:
        self._lost: Counter[int] = Counter()

    def reset(self, episode: int) -> None:
        self._lost[episode] = 0

    def count(self, episode: int, cause: str) -> Result | None:
        """None while the episode should be tried again, then the result that gives it up."""
        self._lost[episode] += 1
        if self._lost[episode] < ATTEMPTS:
            return None
        lost = f"its worker was lost {ATTEMPTS} times in a row without a new turn ({cause})"
        return Result(episode, problem=f"{lost}; ecbench resume tries again")
