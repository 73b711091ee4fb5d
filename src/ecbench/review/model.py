"""A review as plain data: the curve, what follows from it, and the bill."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from functools import cached_property
from statistics import median
from typing import Any

from msgspec import Struct

from ecbench.review.bill.causes import CAUSE_BY_KEY
from ecbench.review.bill.charges import Bill
from ecbench.review.business import Business
from ecbench.review.curve import LEAST_VARIANTS, Point
from ecbench.review.marks import WeekMark, marks_of
from ecbench.review.strategy import TITLES, StrategyPart
from ecbench.review.unusual_charges import unusual_charges
from ecbench.review.verdicts import Week, accuracy, judged, weeks_of
from ecbench.runs.record.json_values import typed


@dataclass(frozen=True)
class Review:
    """What the engine says of one recorded year."""

    engine: str
    record: str  # the checksum of the record that it is of
    agent: str
    world: str
    episode: int
    days: int  # of a whole year
    quick: bool
    points: tuple[Point, ...]
    strategy: tuple[StrategyPart, ...]
    bill: Bill
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
        """What the year ended with; None while it goes on."""
        return self.points[-1].mean if self.over else None

    @cached_property
    def weeks(self) -> list[Week]:
        """From position to position; weeks that are marked together stand as one."""
        return judged(self.points, self.days)

    @cached_property
    def marks(self) -> list[WeekMark]:
        """Days that lost more than this player usually loses, by the engine or by the bill."""
        unusual = unusual_charges(self.bill, self.business, self.days)
        return marks_of(self.weeks, unusual, self.beyond_usual)

    @property
    def withdrawn(self) -> list[Week]:
        """Weeks whose loss was made good within a month: they have no mark."""
        return [week for week in self.weeks if week.recovered_on is not None]

    @property
    def marked_share(self) -> float:
        """Of the days that were played."""
        days = {day for mark in self.marks for day in range(mark.first_day, mark.last_day + 1)}
        return len(days) / max(1, self.points[-1].day)

    @property
    def accuracy(self) -> float | None:
        return accuracy(weeks_of(self.points, self.days))

    @property
    def way(self) -> dict[str, float]:
        """From the engine's value on day 0 to the last point: what was lost at the usual rate, beyond it in marked
        weeks, and in all others together."""
        return {
            "usual": sum(week.usual for week in self.weeks),
            "marked": sum(week.excess for week in self.weeks if week.mark),
            "others": sum(week.excess for week in self.weeks if not week.mark),
        }

    def share(self, point: Point) -> float | None:
        """Its value as a share of the engine's on day 0."""
        return point.mean / self.opening.mean if self.opening.mean > 0 else None

    def beyond_usual(self, first_day: int, last_day: int) -> dict[str, float]:
        """By cause: yuan that the bill has for these days beyond the median of the year's other ones, most first."""
        charged, usual = self.bill.between(first_day, last_day).by_cause(), self._usual(last_day - first_day + 1)
        beyond = {cause: amount - usual[cause] for cause, amount in charged.items() if not CAUSE_BY_KEY[cause].beside}
        return {cause: beyond[cause] for cause in sorted(beyond, key=lambda cause: -beyond[cause]) if beyond[cause] > 0}

    def _usual(self, days: int) -> Mapping[str, float]:
        """What so many days of this year are charged for each cause, by the median over the year."""
        spans = [dict.fromkeys(CAUSE_BY_KEY, 0.0) for _ in range(self.bill.last_day // days + 1)]
        for day, charged in self.bill.by_day.items():
            for cause, amount in charged.items():
                spans[day // days][cause] += amount
        return {cause: median(span[cause] for span in spans) for cause in CAUSE_BY_KEY}

    def to_json(self) -> dict[str, Any]:
        return {
            "engine": self.engine,
            "record": self.record,
            "agent": self.agent,
            "world": self.world,
            "episode": self.episode,
            "days": self.days,
            "quick": self.quick,
            "variants": self.variants,
            "result": self.result,
            "value_on_day_0": self.opening.mean,
            "accuracy": self.accuracy,
            "curve": [self._point_json(point) for point in self.points],
            "weeks": [self._week_json(week) for week in self.weeks],
            "marks": [asdict(mark) | {"certainty": mark.certainty} for mark in self.marks],
            "marked_share": self.marked_share,
            "strategy": [asdict(part) | {"loss": part.loss, "band": part.band} for part in self.strategy],
            "bill_by_cause": self.bill.by_cause(),
            "bill": self.bill.to_json(),
            "business": asdict(self.business),
        }

    def _point_json(self, point: Point) -> dict[str, Any]:
        return {
            "day": point.day,
            "assets": point.assets,
            "value": point.mean,
            "band": point.band,
            "share": self.share(point),
            "over": point.over,
            "values": list(point.values),
        }

    def _week_json(self, week: Week) -> dict[str, Any]:
        return {
            "first_day": week.first_day,
            "last_day": week.last_day,
            "start": week.start,
            "loss": week.loss,
            "band": week.band,
            "usual": week.usual,
            "share": week.share,
            "mark": week.mark,
            "recovered_on": week.recovered_on,
        }


class ReviewRecord(Struct, frozen=True):
    """What a file says that does not follow from the rest of it."""

    engine: str
    record: str
    agent: str
    world: str
    episode: int
    days: int
    quick: bool
    curve: list[Point]
    strategy: list[StrategyPart]
    bill: dict[str, Any]
    business: Business


def review_from(record: object) -> Review:
    """What `Review.to_json` gave. Raises ValueError for anything else."""
    read = typed(record, ReviewRecord)
    numbers = {len(point.values) for point in read.curve}
    if len(numbers) != 1 or min(numbers) < LEAST_VARIANTS:
        raise ValueError("curve: every point has a value for each of the variants, two at least")
    if any(
        part.key not in TITLES or not len(part.free) == len(part.limited) >= LEAST_VARIANTS for part in read.strategy
    ):
        raise ValueError("strategy: every part is a known one, with two values or more under both limits")
    return Review(
        engine=read.engine,
        record=read.record,
        agent=read.agent,
        world=read.world,
        episode=read.episode,
        days=read.days,
        quick=read.quick,
        points=tuple(read.curve),
        strategy=tuple(read.strategy),
        bill=Bill.from_json(read.bill),
        business=read.business,
    )
