"""A review as plain data: the curve, what follows from it, and the bill."""

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import islice
from statistics import median
from typing import Any

from msgspec import Struct

from ecbench.review.bill.causes import CAUSE_BY_KEY
from ecbench.review.bill.charges import Bill
from ecbench.review.curve import LEAST_VARIANTS, Point
from ecbench.review.verdicts import MARKS, Week, accuracy, judged, weeks_of
from ecbench.runs.record.schema import typed

CAUSES_NAMED = 3  # beside a mark


@dataclass(frozen=True, slots=True)
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
    bill: Bill

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

    @property
    def span(self) -> str:
        """What lies between two positions, in a word."""
        return "month" if self.quick else "week"

    @property
    def weeks(self) -> list[Week]:
        """From position to position; weeks that are marked together stand as one."""
        return judged(self.points)

    @property
    def marked(self) -> list[Week]:
        return [week for week in self.weeks if week.mark]

    @property
    def weeks_by_mark(self) -> dict[str, list[Week]]:
        """The worst mark first, then "" for the weeks without one; without marks that no week has."""
        found: dict[str, list[Week]] = {sign: [] for sign in (*(sign for _, sign in MARKS), "")}
        for week in self.weeks:
            found[week.mark].append(week)
        return {sign: weeks for sign, weeks in found.items() if weeks}

    @property
    def accuracy(self) -> float | None:
        return accuracy(weeks_of(self.points))

    def share(self, point: Point) -> float | None:
        """Its value as a share of the engine's on day 0."""
        return point.mean / self.opening.mean if self.opening.mean > 0 else None

    def causes_of(self, week: Week) -> dict[str, float]:
        """Yuan that the bill has for a week by cause: first what stands out most from the year's other weeks."""
        charged = self.bill.between(week.first_day, week.last_day).by_cause()
        usual = self._usual(week.days)
        unusual = sorted(charged, key=lambda cause: usual.get(cause, 0.0) - charged[cause])
        return {cause: charged[cause] for cause in unusual if charged[cause] > 0 and not CAUSE_BY_KEY[cause].beside}

    def main_causes(self, week: Week) -> dict[str, float]:
        """The few that are named beside a mark."""
        return dict(islice(self.causes_of(week).items(), CAUSES_NAMED))

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
            "bill_by_cause": self.bill.by_cause(),
            "bill": self.bill.to_json(),
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
            "share": week.share,
            "mark": week.mark,
            "causes": self.causes_of(week) if week.mark else {},
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
    bill: dict[str, Any]


def review_from(record: object) -> Review:
    """What `Review.to_json` gave. Raises ValueError for anything else."""
    read = typed(record, ReviewRecord)
    numbers = {len(point.values) for point in read.curve}
    if len(numbers) != 1 or min(numbers) < LEAST_VARIANTS:
        raise ValueError("curve: every point has a value for each of the variants, two at least")
    bill = Bill.from_json(read.bill)
    return Review(
        engine=read.engine,
        record=read.record,
        agent=read.agent,
        world=read.world,
        episode=read.episode,
        days=read.days,
        quick=read.quick,
        points=tuple(read.curve),
        bill=bill,
    )
