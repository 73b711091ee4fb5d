"""Reviews made by hand."""

from collections.abc import Mapping, Sequence

from ecbench.analysis.review.curve import Point, result_point
from ecbench.analysis.review.engine import ENGINE
from ecbench.analysis.review.model import Review
from ecbench.analysis.review.recorded_year import Business, record_head
from ecbench.analysis.review.stored_review import store_review
from ecbench.analysis.review.strategy import StrategyPart
from ecbench.runs.folder import Run
from ecbench.runs.play.episodes import read_episode

NO_BUSINESS = Business((), (), (), (), (), (), ())
VALUES = ((0, 1_000_000.0), (7, 700_000.0), (14, 700_000.0), (21, 595_000.0), (28, 559_300.0))
LOST = {
    "fees": {3: 200.0},
    "price": {4: 80.0},
    "above_floor": {5: 60.0},
    "storage": {5: 1.0},
    "empty_shelf": {16: 25.0},
}


def review_by_hand(
    run: Run,
    record: str | None = None,
    *,
    values: Sequence[tuple[int, float]] = VALUES,
    spread: float = 100_000.0,
    result: float = 600_000.0,
    lost: Mapping[str, Mapping[int, float]] = LOST,
) -> Review:
    """By default weeks from days 0, 7, 14 and 21 lose 30%, nothing, 15% and 6% of their value; the last one gains.

    All is in hand at each position, so that the variants share no error; one of them sees twice the spread more.
    """
    days = run.terms.days
    points = [Point(day, value, (value - spread, value + spread)) for day, value in values]
    return Review(
        engine=ENGINE,
        record=record or record_head(read_episode(run, 0)),
        agent=run.player.agent,
        world=run.terms.world.name,
        episode=0,
        days=days,
        quick=False,
        points=(*points, result_point(days, result, variants=2)),
        strategy=(StrategyPart("stores", "1 of 4 open at most", (900.0, 1_100.0), (400.0, 500.0)),),
        losses={cause: tuple(by_day.get(day, 0.0) for day in range(days + 1)) for cause, by_day in lost.items()},
        business=NO_BUSINESS,
    )


def keep_by_hand(run: Run, record: str | None = None) -> Review:
    review = review_by_hand(run, record)
    store_review(run.episode_folder(0), review, {})
    return review
