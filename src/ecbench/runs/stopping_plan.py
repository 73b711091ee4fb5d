"""The plan of a season that stops when it is clear, as `run.json` records it before the first year is played."""

from collections.abc import Sequence
from itertools import pairwise
from typing import Annotated, Literal

from msgspec import Meta, Struct

from ecbench.runs.terms import Count, Money

Share = Annotated[float, Meta(gt=0, le=1)]
ScoreName = Literal["final_assets", "skill"]


class RivalRecord(Struct, frozen=True):
    """The finished run that the looks compare with."""

    agent: str
    records: Annotated[str, Meta(pattern=r"\A[0-9a-f]{64}\Z")]  # checksum over the ends of its records
    scores: tuple[Money, ...]  # its score on each world, in the order of the plan


class StoppingPlan(Struct, frozen=True):
    """In which order worlds are played, after how many of them the study is looked at, and what ends it."""

    order: tuple[Count, ...]  # places of worlds in the list of `run.json`
    looks: tuple[Count, ...]  # worlds played
    spent: tuple[Share, ...]  # of all arrangements of signs, those that may be rejected up to each look
    smallest: Annotated[float, Meta(gt=1, le=1e6)]  # ratio of final assets that ends the study if it is excluded
    smallest_gap: Annotated[float, Meta(gt=0, le=1e6)]  # the same on the scale of the score
    score: ScoreName
    against: RivalRecord

    def __post_init__(self) -> None:
        increasing = all(one < other for one, other in pairwise(self.looks))
        lengths = {len(self.order), len(self.against.scores), self.looks[-1] if self.looks else 0}
        if len(lengths) > 1 or not increasing or len(self.looks) != len(self.spent):
            raise ValueError("the looks of a stopping plan lead to its last world, and each world has one score")
        if len(set(self.order)) < len(self.order) or self.looks[0] < 2:
            raise ValueError("a stopping plan has each world once, and two at its first look")

    def episodes(self, number: int, worlds: int, years: int) -> list[int]:
        """The episodes that are played before a look, beyond those of earlier looks, of a run with so many of each."""
        begin = self.looks[number - 1] if number else 0
        places = set(self.order[begin : self.looks[number]])
        return [episode for episode in range(years) if episode % worlds in places]


def complete_worlds(order: Sequence[int], over: Sequence[bool]) -> int:
    """How many worlds from the beginning of the order have all their years over; `over` is by place of the world."""
    return next((number for number, place in enumerate(order) if not over[place]), len(order))
