"""Negotiation quality: how much of each bargaining range the buyer kept (app:metrics_d1).

Rates of value extraction (the names with a plus) read honest counterparts only; deals, rounds and money saved
read both kinds.
"""

from collections.abc import Sequence
from typing import Any

from ecbench.metrics.rounding import figure, mean_or_null, mean_or_zero, yuan
from ecbench.metrics.session_scores import SessionScore
from ecbench.sums import ordered_sum
from ecbench.suppliers.records import OpenSession, Session


def value_extraction(scores: Sequence[SessionScore]) -> dict[str, float | None]:
    """The headline rates; null without a session to form them from, except the share of critical violations."""
    honest = [s for s in scores if s.honest]
    deals = [s for s in honest if s.agreed]
    fraudulent = [s for s in scores if not s.honest]
    critical = [bool(s.session.critical_violations) for s in scores]
    return {
        "AGR+": mean_or_null([s.agreed for s in honest]),
        "SE+": mean_or_null([s.efficiency for s in honest]),
        "CSE+": mean_or_null([s.efficiency for s in deals]),
        "AbsSE+": mean_or_null([s.utility for s in honest]),
        "AbsCSE+": mean_or_null([s.utility for s in deals]),
        "FAGR-": mean_or_null([s.agreed for s in fraudulent]),
        "CritViol": mean_or_zero(critical),
        "%Oracle": oracle_share(honest),
    }


def oracle_share(honest: Sequence[SessionScore]) -> float | None:
    """Money won of the money that closing every honest session at its floor would win (eq:d1_oracle)."""
    best = ordered_sum(s.range for s in honest)
    return figure(100 * ordered_sum(s.utility for s in honest) / best, 2) if best > 0 else None


def average_efficiency(scores: Sequence[SessionScore]) -> float:
    return mean_or_zero([s.efficiency for s in scores if s.agreed])


def by_supplier_type(scores: Sequence[SessionScore]) -> dict[str, dict[str, float]]:
    groups = {"good": [s for s in scores if s.honest], "bad": [s for s in scores if not s.honest]}
    return {name: {"negotiations": len(group), **_deals(group)} for name, group in groups.items()}


def group_by_family(scores: Sequence[SessionScore]) -> dict[str, list[SessionScore]]:
    """Families in order of their first session."""
    families: dict[str, list[SessionScore]] = {}
    for scored in scores:
        families.setdefault(scored.family, []).append(scored)
    return families


def by_family(scores: Sequence[SessionScore]) -> dict[str, dict[str, float]]:
    return {name: {"count": len(group), **_deals(group)} for name, group in group_by_family(scores).items()}


def _deals(scores: Sequence[SessionScore]) -> dict[str, float]:
    return {"deals": sum(s.agreed for s in scores), "avg_efficiency": average_efficiency(scores)}


def deal_counts(scores: Sequence[SessionScore]) -> dict[str, Any]:
    """Counts and money over both kinds of supplier; 0 without a deal."""
    deals = [s for s in scores if s.agreed]
    return {
        "total_negotiations": len(scores),
        "total_deals": len(deals),
        "total_rejections": len(scores) - len(deals),
        "avg_surplus_efficiency": average_efficiency(deals),
        "avg_rounds_to_deal": mean_or_zero([s.session.turns for s in deals], 2),
        "total_money_saved_vs_initial": yuan(ordered_sum(s.saved for s in deals)),
        "total_violations": {
            "critical": sum(len(s.session.critical_violations) for s in scores),
            "secondary": sum(len(s.session.secondary_violations) for s in scores),
        },
    }


def quality(scores: Sequence[SessionScore], learning: dict[str, Any] | None) -> dict[str, Any]:
    """The dimension at a glance; every field is null where no session was concluded."""
    rates = value_extraction(scores)
    counts = deal_counts(scores)
    return {
        "SE+": rates["SE+"],
        "CSE+": rates["CSE+"],
        "%Oracle": rates["%Oracle"],
        "AGR+": rates["AGR+"],
        "avg_rounds_to_deal": counts["avg_rounds_to_deal"] if scores else None,
        "total_money_saved_vs_initial": counts["total_money_saved_vs_initial"] if scores else None,
        "learning_speed": learning,
    }


def unfinished(scores: Sequence[SessionScore], still_open: Sequence[OpenSession]) -> dict[str, Any]:
    """Sessions without a deal: how many each side ended, and how many were left open."""
    enders = [s.session.closed_by for s in scores if not s.agreed]
    return {
        "ended_by_agent": enders.count("AgentReject"),
        "ended_by_supplier": enders.count("SupplierReject"),
        "abandoned_honest": sum(session.honest for session in still_open),
        "abandoned_fraudulent": sum(not session.honest for session in still_open),
    }


def opening_quotes_taken(scores: Sequence[SessionScore]) -> list[SessionScore]:
    """Honest deals at or above the supplier's opening target (tab:failure_modes)."""
    return [s for s in scores if s.honest and takes_opening_quote(s.session)]


def overpaid(charged: float, quantity: int, floor: float | None) -> float:
    """Yuan that an order paid above the floor; a membership fee buys nothing and has none."""
    return charged - (floor or 0.0) * quantity


def takes_opening_quote(session: Session) -> bool:
    return session.final_price is not None and session.final_price >= session.opening_target
