"""The plan of a season that stops when it is clear, as `run.json` records it before the first year is played."""

from typing import Annotated, Literal

from msgspec import Meta, Struct

from ecbench.players.turn import Money


class StoppingPlan(Struct, frozen=True):
    """The finished run that the interim analyses compare with, and what ends the study.

    The order of worlds and the numbers of worlds that are analysed follow from the worlds of the run.
    """

    against: str  # the agent of the finished run
    score: Literal["final_assets", "skill"]
    scores: dict[str, Money]  # by the id of a fresh world: the logarithm of its final assets there, or skill
    smallest: Annotated[float, Meta(gt=1, le=1e6)]  # ratio of final assets that ends the study if it is excluded
