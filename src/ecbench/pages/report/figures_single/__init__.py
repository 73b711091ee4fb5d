"""Figures of one year, in the order in which a page shows them."""

from collections.abc import Callable

from ecbench.pages.report.figure import ReportFigure
from ecbench.pages.report.figures_single.accounts import accounts, collapse, waterfall
from ecbench.pages.report.figures_single.bargains import bargains, repeat_prices
from ecbench.pages.report.figures_single.review_curve import evaluation, losses, strategy
from ecbench.pages.report.figures_single.stores import prices, stores
from ecbench.pages.report.figures_single.weekly import calls_by_week, stock_by_age
from ecbench.pages.report.year_data import ShownYear

FIGURES: tuple[Callable[[ShownYear], ReportFigure | None], ...] = (
    accounts,
    collapse,
    waterfall,
    evaluation,
    strategy,
    losses,
    stores,
    prices,
    bargains,
    repeat_prices,
    stock_by_age,
    calls_by_week,
)


def figures_of(year: ShownYear) -> list[ReportFigure]:
    """Those that have something to show."""
    drawn = (figure(year) for figure in FIGURES)
    return [figure for figure in drawn if figure is not None]
