"""Bargaining by kind of supplier: honest ones by template, others by scam (fig:family_heatmap, tab:presets)."""

from collections.abc import Sequence
from typing import Any, NamedTuple

from ecbench.metrics.estimators import Report
from ecbench.metrics.labels import SCAMS
from ecbench.metrics.rounding import figure, mean_or_null
from ecbench.metrics.session_scores import SessionScore, mean_step
from ecbench.sums import ordered_sum
from ecbench.world.supplier_kinds import HONEST


def by_counterpart(scores: Sequence[SessionScore]) -> dict[str, dict[str, Any]]:
    """Honest suppliers by template and fraudulent ones by scam (fig:family_heatmap, tab:presets); all are listed.

    A scam bargains the adversarial way and against its own floor, so the two kinds are never mixed.
    """
    honest = [s for s in scores if s.honest]
    fraudulent = [s for s in scores if not s.honest]
    return {
        "honest": {name: _dealings([s for s in honest if s.session.template == name]) for name in HONEST},
        "fraudulent": {name: _dealings([s for s in fraudulent if s.session.scam == name]) for name in SCAMS},
    }


def _dealings(scores: Sequence[SessionScore]) -> dict[str, Any]:
    """Sums beside the mean, so that several years can be pooled.

    A counter is every quote behind a supplier's first; what it concedes is a share of the reference price, so that
    cheap and dear goods can be compared.
    """
    deals = [s for s in scores if s.agreed]
    return {
        "sessions": len(scores),
        "deals": len(deals),
        "surplus_sum": figure(ordered_sum(s.efficiency for s in deals)),
        "surplus": mean_or_null([s.efficiency for s in deals]),
        "turns": mean_or_null([s.session.turns for s in deals]),
        "concession_per_counter": mean_or_null(
            [
                -mean_step(quotes) / s.session.reference_price
                for s in scores
                if len(quotes := s.session.supplier_prices) > 1
            ]
        ),
    }


class Dealings(NamedTuple):
    """With one kind of supplier, over the years of a run; every deal weighs alike."""

    sessions: int
    deals: int
    surplus: float | None  # None without a deal
    turns: float | None


def pooled(reports: Sequence[Report]) -> dict[str, dict[str, Dealings]]:
    """The years of a run together; those of earlier versions have nothing to add."""
    years = [report["diagnostics"]["by_counterpart"] for report in reports if "diagnostics" in report]
    kinds = {"honest": tuple(HONEST), "fraudulent": SCAMS}
    return {
        honesty: {name: _together([year[honesty][name] for year in years if name in year[honesty]]) for name in names}
        for honesty, names in kinds.items()
    }


def _together(years: Sequence[dict[str, Any]]) -> Dealings:
    sessions, deals = (sum(year[count] for year in years) for count in ("sessions", "deals"))
    if not deals:
        return Dealings(sessions, 0, None, None)
    surplus = ordered_sum([year["surplus_sum"] for year in years]) / deals
    turns = ordered_sum([(year["turns"] or 0.0) * year["deals"] for year in years]) / deals
    return Dealings(sessions, deals, surplus, turns)
