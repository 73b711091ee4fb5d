"""The curriculum of a learner: short years first, each on a world that it has not seen.

Seeds are split by use, so that no policy is scored on a world that it was trained on. Those below a million are for
scores that are published.
"""

from dataclasses import dataclass
from random import Random

STAGES = (7, 30, 90)  # days
TRAINING = range(1_000_000, 2_000_000)
HELD_OUT = range(2_000_000, 2_001_000)


@dataclass(frozen=True, slots=True)
class Lesson:
    """One year to learn from."""

    days: int
    world_seed: int


@dataclass(frozen=True, slots=True)
class Curriculum:
    """A number of years of each length, one after the other; the last length continues without end.

    Which world a lesson is on follows from its number and `seed` alone, so that workers can share a curriculum.
    """

    stages: tuple[int, ...] = STAGES
    years: int = 100  # of each length but the last
    seed: int = 0
    worlds: range = TRAINING

    def __post_init__(self) -> None:
        if not self.stages or min(self.stages) < 1 or self.years < 1 or not self.worlds:
            raise ValueError("a curriculum needs stages of 1 day or more, 1 episode or more of each, and worlds")

    def lesson(self, number: int) -> Lesson:
        """Number 0 is the first."""
        if number < 0:
            raise ValueError(f"lessons count from 0, not {number}")
        stage = min(number // self.years, len(self.stages) - 1)
        return Lesson(self.stages[stage], Random(f"{self.seed} lesson {number}").choice(self.worlds))
