"""Figures of one year."""

from collections.abc import Callable

from ecbench.report.figure import ReportFigure
from ecbench.report.played import PlayedYear, world_of
from ecbench.report.single.bargains import bargains, repeat_prices
from ecbench.report.single.goods import prices, stock_by_age, stores
from ecbench.report.single.money import accounts, waterfall
from ecbench.report.single.work import calls_by_week
from ecbench.runs.reader import Recording
from ecbench.world.model import World

FIGURES: tuple[Callable[[PlayedYear, World | None], ReportFigure | None], ...] = (
    accounts,
    waterfall,
    stores,
    prices,
    bargains,
    repeat_prices,
    stock_by_age,
)


def figures_of(year: PlayedYear, recording: Recording | None) -> list[ReportFigure]:
    """Those that have something to show."""
    world = world_of(year)
    drawn = [figure(year, world) for figure in FIGURES]
    drawn.append(calls_by_week(year, recording) if recording is not None else None)
    return [figure for figure in drawn if figure is not None]
