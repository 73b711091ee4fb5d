"""Figures over several runs, beside the paper's models."""

from collections.abc import Callable, Sequence

from ecbench.pages.report.figure import ReportFigure
from ecbench.pages.report.figures_across.assets import assets, cash_flow
from ecbench.pages.report.figures_across.bad_spend import fraud, funnel
from ecbench.pages.report.figures_across.curves import episodes, trajectories
from ecbench.pages.report.figures_across.dealings import honest_spend, surplus_by_template
from ecbench.pages.report.figures_across.rankings import papers_profiles, profiles, rank_bump
from ecbench.pages.report.figures_across.reviews import accuracies, losses_by_cause
from ecbench.pages.report.figures_across.workload import context_pressure, efficiency, failure_matrix
from ecbench.pages.report.run_data import PlayedRun

FIGURES: tuple[Callable[[Sequence[PlayedRun]], ReportFigure | None], ...] = (
    assets,
    trajectories,
    episodes,
    profiles,
    papers_profiles,
    rank_bump,
    surplus_by_template,
    honest_spend,
    fraud,
    funnel,
    cash_flow,
    efficiency,
    context_pressure,
    failure_matrix,
    accuracies,
    losses_by_cause,
)


def figures_across(runs: Sequence[PlayedRun]) -> list[ReportFigure]:
    """Those that have something to show."""
    drawn = (figure(runs) for figure in FIGURES)
    return [figure for figure in drawn if figure is not None]
