"""The plan of a season that stops when it is clear, as `run.json` records it before the first year is played."""

from typing import Annotated, Literal

from msgspec import Meta, Struct

from ecbench.players.turn import Money


class WorldScore(Struct, frozen=True):
    """A run's years on one world, as a comparison takes them."""

    score: Money | None  # mean logarithm of final assets, or skill, of the years that are not ruined; None without any
    ruined: Annotated[int, Meta(ge=0)]  # years
    years: Annotated[int, Meta(ge=0)]

    @property
    def ruined_share(self) -> float:
        return self.ruined / max(1, self.years)


class StoppingPlan(Struct, frozen=True):
    """The finished run that the interim analyses compare with, and what ends the study.

    The order of worlds and the numbers of worlds that are analysed follow from the worlds of the run.
    """

    against: str  # the agent of the finished run
    score: Literal["final_assets", "skill"]
    scores: dict[str, WorldScore]  # by the id of a fresh world
    smallest: Annotated[float, Meta(gt=1, le=1e6)]  # ratio of final assets that ends the study if it is excluded
