"""Skill: how far a year came from its stake towards the upper bound, on a logarithmic scale.

0 is keeping the stake or less, 1 is the upper bound of the year's world, days, stake and rules
(`ecbench.bound.assets`). Who knows the bound passes it in; a report without it has no skill.
"""

from math import isfinite, log

from ecbench.metrics.estimators import Report


def skill(final_assets: float, stake: float, bound: float) -> float | None:
    """ln(final / stake) / ln(bound / stake), between 0 and 1; None where the bound is no limit or leaves no room."""
    if not (isfinite(bound) and bound > stake > 0):
        return None
    return min(1.0, log(final_assets / stake) / log(bound / stake)) if final_assets > stake else 0.0


def with_skill(report: Report, bound: float | None) -> Report:
    """The report of a year with a section `bound`; the same report where there is no bound."""
    if bound is None:
        return report
    money = report["profitability"]
    found = skill(money["final_balance"], money["initial_balance"], bound)
    return {**report, "bound": {"assets": bound, "skill": found}}
