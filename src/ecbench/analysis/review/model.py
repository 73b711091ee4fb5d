"""A review as plain data: the curve, the strategy, the losses by day, and what follows from them."""

from bisect import bisect_right
from dataclasses import asdict
from functools import cached_property
from math import fsum, hypot
from typing import Any

from msgspec import Struct, field, to_builtins

from ecbench.analysis.review.curve import Judge, Point, Week
from ecbench.analysis.review.marks import WeekMark, marks_of
from ecbench.analysis.review.recorded_year import Business
from ecbench.analysis.review.strategy import StrategyPart
from ecbench.metrics.losses.account import CAUSES
from ecbench.runs.record.json_values import Yuan


class Review(Struct, frozen=True, dict=True):
    """What the engine says of one recorded year. What follows from the fields is in `to_json`."""

    engine: str
    record: str  # the head of the record that it is of
    agent: str
    world: str
    episode: int
    days: int  # of a whole year
    quick: bool
    points: tuple[Point, ...] = field(name="curve")
    strategy: tuple[StrategyPart, ...]
    losses: dict[str, tuple[Yuan, ...]]  # by cause: yuan on each day, from day 0 on
    business: Business

    @property
    def variants(self) -> int:
        return len(self.points[0].values)

    @property
    def over(self) -> bool:
        return self.points[-1].over

    @property
    def opening(self) -> Point:
        """What the engine makes of the year from its first morning."""
        return self.points[0]

    @property
    def result(self) -> float | None:
        """What the year ended with; None while it continues."""
        return self.points[-1].mean if self.over else None

    @cached_property
    def judge(self) -> Judge:
        return Judge(self.points, self.days)

    @cached_property
    def weeks(self) -> list[Week]:
        """From position to position."""
        return self.judge.weeks()

    @cached_property
    def marks(self) -> list[WeekMark]:
        """Days that lost more than this player usually loses, by the engine or by the account."""
        return marks_of(self.weeks, self.losses, self.business, self.days, self._value_lost)

    def _value_lost(self, first_day: int, last_day: int) -> Week | None:
        days = [point.day for point in self.points]
        before, after = bisect_right(days, first_day) - 1, bisect_right(days, last_day)
        after = min(after, len(days) - 1)
        return self.judge.between(before, after) if before < after else None

    @property
    def accuracy(self) -> float | None:
        """The share of the engine's value on day 0 that the year kept: what it ended with, or is worth now."""
        return self.share(self.points[-1]) if len(self.points) > 1 else None

    @property
    def accuracy_band(self) -> float | None:
        """Half the width of its 95% band."""
        kept, first = self.accuracy, self.opening
        return None if kept is None else hypot(self.points[-1].band, kept * first.band) / first.mean

    def share(self, point: Point) -> float | None:
        """Its value as a share of the engine's on day 0, at least 0."""
        return max(0.0, point.mean) / self.opening.mean if self.opening.mean > 0 else None

    @property
    def lost(self) -> dict[str, float]:
        """Yuan by cause over the year, all of them, in their order."""
        return {cause.key: fsum(self.losses.get(cause.key, ())) for cause in CAUSES}

    def to_json(self) -> dict[str, Any]:
        plain: dict[str, Any] = to_builtins(self)
        points = [{"value": point.mean, "band": point.band, "share": self.share(point)} for point in self.points]
        parts = [{"loss": part.loss, "band": part.band} for part in self.strategy]
        return plain | {
            "variants": self.variants,
            "result": self.result,
            "value_on_day_0": self.opening.mean,
            "accuracy": self.accuracy,
            "accuracy_band": self.accuracy_band,
            "curve": [stated | derived for stated, derived in zip(plain["curve"], points, strict=True)],
            "weeks": [asdict(week) | {"share": week.share} for week in self.weeks],
            "marks": [_mark_json(mark) for mark in self.marks],
            "strategy": [stated | derived for stated, derived in zip(plain["strategy"], parts, strict=True)],
            "lost": self.lost,
        }


def _mark_json(mark: WeekMark) -> dict[str, Any]:
    later = mark.later and {"loss": mark.later.excess, "band": mark.later.band, "usual": mark.later.usual}
    return asdict(mark) | {"later": later, "cost": mark.cost, "certainty": mark.certainty}
