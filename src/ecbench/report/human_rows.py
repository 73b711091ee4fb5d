"""Persons' years beside the runs of a report, where world, days, stake and rules agree."""

from collections.abc import Sequence

from ecbench.number_words import MISSING, yuan
from ecbench.report.run_data import PlayedRun
from ecbench.suite.human_baseline import BaselineGroup, HumanBaseline, log_mean, played_terms


def human_rows(runs: Sequence[PlayedRun], humans: HumanBaseline | None) -> list[list[str]]:
    """For each baseline that a finished year agrees with: a row of the persons, then one of each such run."""
    rows: list[list[str]] = []
    for group in humans.groups if humans else []:
        own = {run.label: assets for run in runs if (assets := _assets(run, group))}
        if own:
            persons = {"persons": [year.final_assets for year in group.years]}
            rows += [_row(name, assets, group) for name, assets in (persons | own).items()]
    return rows


def _assets(run: PlayedRun, group: BaselineGroup) -> list[float]:
    """Of the run's finished years under the terms of the group."""
    agreeing = (year for year in run.over if played_terms(year.run.terms_of(year.episode)) == group.terms)
    return [year.end.assets for year in agreeing if year.end is not None]


def _row(name: str, assets: Sequence[float], group: BaselineGroup) -> list[str]:
    mean, bounds = log_mean(assets, group.terms.stake)
    interval = f"{yuan(bounds[0])} to {yuan(bounds[1])}" if bounds else MISSING
    return [
        name,
        group.terms.world,
        f"{group.terms.days:,}",
        group.terms.rules,
        f"{len(assets):,}",
        yuan(mean),
        interval,
    ]
